package ends

import (
	"cmp"
	"strings"
	"sync"
)

// meanings are words that people take for one another when they speak of the same work, one
// meaning a line, with the words of all languages: "drop the flag" and "Flag entfernen" speak
// of one thing. The English ones come first; the first of a line stands for all.
const meanings = `
remove drop delete retire rip strip purge | entfernen löschen streichen ausbauen ausbau herausnehmen rausnehmen rauswerfen wegwerfen abschalten | quitar retirar eliminar borrar suprimir | supprimer retirer enlever | 削除 撤去 除去
rename renaming | umbenennen umbenennung umbenannt | renombrar renombrado | renommer | 改名 改称
split divide factor | aufteilen zerlegen zerlegung aufspalten trennen | dividir partir separar trocear | scinder découper | 分割
upgrade bump raise pin pinned | anheben heben hochziehen hochstufen | subir subida elevar | monter | 更新
document doc readme manual guide | doku dokumentieren dokumentation handbuch anleitung | documentar documentación manual guía | documenter documentation | 文書
announce announcement post notify | ankündigen ankündigung bescheid informieren | anunciar anuncio avisar aviso | annoncer annonce | 告知 通知
alert alarm alerting | alarm alarme alarmierung | alerta alertas alarma | alerte | 警告
permission right role privilege | rechte berechtigung berechtigungen rolle | permiso permisos rol roles | droit droits rôle | 権限
decide decision | entscheiden entscheidung | decidir decisión | décider décision | 判断 決定
migrate migration | migrieren migration umziehen umzug | migrar migración | migrer | 移行
deploy deployment rollout ship | ausrollen deployen deployment | desplegar despliegue | déployer déploiement | 配備
translate translation localise localize | übersetzen übersetzung | traducir traducción | traduire traduction | 翻訳
revert rollback undo | zurückrollen rückfall rückfallplan rollback | revertir reversión | annuler | 復元
convert port switch | umstellen umstellung konvertieren | convertir pasar | convertir | 変換 切替
automate automatic automatically | automatisieren automatisch | automatizar automático | automatiser | 自動
flaky flake | wackelig wackler sporadisch | inestable intermitente | instable | 不安
crash panic | absturz abstürzen | caída | plantage | 落ち
publish release publication | veröffentlichen veröffentlichung release | publicar publicación | publier publication | 公開
rotate rotation | rotieren rotation | rotar rotación | 回転
duplicate twice double | doppelt dopplung | duplicado duplicada doble | double | 重複
`

// sameWords are, by language, the words and stems that another word stands for.
var sameWords = sync.OnceValue(func() map[*language]map[string]string {
	out := map[*language]map[string]string{}
	for _, lang := range languages {
		out[lang] = map[string]string{}
	}
	for line := range strings.Lines(strings.TrimSpace(meanings)) {
		parts := strings.Split(line, "|")
		first, _, _ := strings.Cut(parts[0], " ")
		for i, part := range parts {
			for word := range strings.FieldsSeq(part) {
				lang := languages[i]
				out[lang][word], out[lang][lang.stem(word)] = englishStem(first), englishStem(first)
			}
		}
	}
	return out
})

// meaning is the word that stands for a word of a language, and others of its meaning.
func (l *language) meaning(word string) string {
	words := sameWords()
	if same := words[l][word]; same != "" {
		return same
	}
	stem := l.stem(word)
	return cmp.Or(words[l][stem], words[english][word], stem)
}
