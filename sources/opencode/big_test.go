package opencode_test

import (
	"context"
	"flag"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

var big = flag.String("big", "", "home with a large database, such as go run ./cmd/loombench --only opencode-first --mb 1000 makes")

// A database of any size is read in bounded memory: what one session says is held, and no more.
func TestBoundedMemory(t *testing.T) {
	if *big == "" {
		t.Skip("no -big")
	}
	const most = 96 << 20 // bytes that are in use at any time
	debug.SetGCPercent(20)
	s := open(*big)
	defer s.Close()
	peak := uint64(0)
	stop := make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				metrics.Read(sample)
				peak = max(peak, sample[0].Value.Uint64())
			}
		}
	}()
	begun := time.Now()
	l, err := s.List(context.Background())
	must(t, err)
	listed := time.Since(begun)
	begun = time.Now()
	for _, it := range l.Items {
		_, err := s.Digest(context.Background(), it, it.Parts[0].Name)
		must(t, err)
	}
	compared := time.Since(begun)
	begun = time.Now()
	records, size := 0, int64(0)
	for _, it := range l.Items {
		r, err := s.Read(context.Background(), it)
		must(t, err)
		records, size = records+r.Records, size+r.BytesRead
	}
	read := time.Since(begun)
	close(stop)
	<-done
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d sessions, %d MB: listed in %v, compared in %v, %d records of %d MB read in %v; %d MB in use at most, %d MB from the system",
		len(l.Items), l.Roots[0].Bytes>>20, listed, compared, records, size>>20, read, peak>>20, m.Sys>>20)
	if peak > most {
		t.Errorf("%d bytes in use", peak)
	}
}
