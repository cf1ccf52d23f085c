package names

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// PicturePath is where a picture lies, empty for what is none.
func PicturePath(pr identity.Project, a sources.Attachment) string {
	ext := map[string]string{"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}[http.DetectContentType(a.Content)]
	if ext == "" {
		return ""
	}
	return ProjectFolder(pr) + "/attachments/" + PictureSum(a.Content) + "." + ext
}

// PictureSum is what a picture is called after.
func PictureSum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// PictureID names a picture among the tombstones.
func PictureID(p string) string {
	return TypePicture + ":" + strings.TrimSuffix(path.Base(p), path.Ext(p))
}

// PictureFileID is the id of the record of a picture that we put, or would put, at
// a path. Its tombstone is that of its content, see [PictureID].
func PictureFileID(at string) string { return TypePicture + ":" + at }

// IsPictureFile tells the id of the record of a picture.
func IsPictureFile(id string) bool { return strings.HasPrefix(id, TypePicture+":") }
