package limits

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6 + float64(u.Stime.Sec) + float64(u.Stime.Usec)/1e6
}

func TestZZ(t *testing.T) {
	for _, name := range strings.Split(os.Getenv("ZD"), ",") {
		ds := large(t, name)
		for _, m := range methods {
			if !strings.Contains(m.name, os.Getenv("ZM")) {
				continue
			}
			for _, l := range []time.Duration{50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1500, 2000, 3000} {
				limit := l * time.Millisecond
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				at := make(chan float64, 1)
				go func() { <-ctx.Done(); at <- cpu() }()
				begin := time.Now()
				_, err := m.grow(ctx, ds)
				took := time.Since(begin)
				end := cpu()
				cancel()
				fmt.Printf("%s %s %v wall %.2f cpu %.2f %v\n", name, m.name, limit, (took - limit).Seconds(), end-<-at, err)
			}
		}
	}
}
