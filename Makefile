# make build       HiGHS if there is none, then bin/octgen
# make quickstart  build, then the experiment examples/quickstart.yaml
# make test        everything CI checks: vet three ways, all tests
# make lint        gofmt, go vet, staticcheck
# make bench       benchmarks and the long studies (OCTGEN_LONG=1)
# make paper       the papers' experiments, about two hours; make paper-quick: their quick variants
# make golden      rewrite the golden files of the tests
# make dist        dist/octgen: static, stripped, reproducible (linux)
# make env         print the environment that HiGHS needs, for your own go commands

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The lines of `install-highs.sh --env`, in front of a command.
WITH_HIGHS = eval "$$(scripts/install-highs.sh --env)"; export PKG_CONFIG_PATH CGO_CFLAGS;

.PHONY: build test lint bench paper paper-quick golden quickstart dist env highs tools vet clean

build: highs
	$(WITH_HIGHS) $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/octgen ./cmd/octgen

highs:
	@scripts/install-highs.sh

# Other solvers, which the tests compare HiGHS with.
tools:
	@scripts/install-test-tools.sh

env:
	@scripts/install-highs.sh --env

# Always anew: the folder is this target's own.
quickstart: build
	rm -rf quickstart-results
	bin/octgen run examples/quickstart.yaml --out quickstart-results

vet: highs
	$(WITH_HIGHS) $(GO) vet ./...
	$(GO) vet -tags nohighs ./...
	CGO_ENABLED=0 $(GO) vet ./...

test: highs tools vet
	$(WITH_HIGHS) $(GO) test ./...
	$(GO) test -tags nohighs ./cmd/... ./solvers/...

lint: highs
	@bad=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "gofmt would change:" $$bad; exit 1; fi
	$(WITH_HIGHS) $(GO) vet ./... && $(GO) run $(STATICCHECK) ./...

golden: highs
	$(WITH_HIGHS) $(GO) test ./tree ./mps ./formulate/oct ./formulate/hyperplane ./formulate/linear ./formulate/gto ./solvers/solfile ./solvers/external ./experiments/spec ./experiments/report ./experiments/generate ./cmd/octgen -update

bench: highs tools
	scripts/bench.sh

paper: build
	scripts/paper.sh full

paper-quick: build
	scripts/paper.sh quick

# No paths, no build ids that depend on them, no clock: the same bytes twice.
dist: highs
	mkdir -p dist
	$(WITH_HIGHS) $(GO) build -trimpath -buildvcs=false -tags osusergo,netgo \
	  -ldflags '$(LDFLAGS) -s -w -buildid= -linkmode external -extldflags "-static -Wl,--build-id=none"' -o dist/octgen ./cmd/octgen
	dist/octgen version
	cd dist && sha256sum octgen | tee octgen.sha256

clean:
	rm -rf bin dist quickstart-results
