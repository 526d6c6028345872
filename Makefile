# make build       HiGHS if there is none, then bin/octgen, and bin/highs where HiGHS was built
# make quickstart  build, then what octgen does, in a minute: scripts/quickstart.sh
# make test        the tests, with HiGHS in process, CBC and GLPK: at most four minutes
# make test-all    all their cases, the race detector, fuzzing, and what else there is: at most 45 minutes
# make seeds       seeded defects, and whether make test catches each: scripts/seeds.sh, resumable
# make lint        gofmt, go vet three ways, staticcheck, builds for six platforms; silent
# make bench       benchmarks and the long studies (OCTGEN_LONG=1)
# make study       100,000 random cases of numbers far apart against exact arithmetic, and all instances of
#                  Accelerated BendOCT, resumable (STUDY=FOLDER)
# make paper       the papers' experiments, an hour; make paper-quick: their quick variants
# make golden      rewrite the golden files of the tests
# make dist        dist/: octgen for six platforms, reproducible, with their sha256 sums; wheels of them where there is Python
# make wheel       dist/: the Python package with octgen inside, for this platform
# make env         print the environment that HiGHS needs, for your own go commands

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The properties of random cases see the same ones every time, so that what passed
# passes again; `make bench` draws new ones (part seeds).
export RAPID_SEED ?= 20261122

# The lines of `install-highs.sh --env`, in front of a command.
WITH_HIGHS = eval "$$(scripts/install-highs.sh --env)"; export PKG_CONFIG_PATH CGO_CFLAGS;

.PHONY: build test test-all seeds lint bench study paper paper-quick golden quickstart dist env highs tools vet clean wheel

build: highs
	$(WITH_HIGHS) $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/octgen ./cmd/octgen
	@if [ -x .highs/bin/highs ]; then ln -sf ../.highs/bin/highs bin/highs; fi

highs:
	@scripts/install-highs.sh

# Other solvers, which the tests compare HiGHS with.
tools:
	@scripts/install-test-tools.sh

env:
	@scripts/install-highs.sh --env

quickstart: build
	@scripts/quickstart.sh

# The second time what the tag changes: the other packages are the same without HiGHS.
test: highs tools
	$(WITH_HIGHS) $(GO) test ./...
	$(GO) test -tags nohighs ./cmd/... ./solvers ./solvers/highs

test-all: highs tools
	@scripts/test-all.sh

# What was caught before is kept in bench-out/seeds; remove it to begin again.
seeds: highs tools
	@scripts/seeds.sh

# Three ways: with HiGHS, without it, without cgo.
vet: highs
	@$(WITH_HIGHS) $(GO) vet ./...
	@$(GO) vet -tags nohighs ./...
	@CGO_ENABLED=0 $(GO) vet ./...

lint: vet
	@bad=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$bad" ]; then echo "gofmt would change:" $$bad; exit 1; fi
	@$(WITH_HIGHS) $(GO) run $(STATICCHECK) ./...
	@for p in $(PLATFORMS); do CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build ./... || { echo "no build for $$p"; exit 1; }; done

golden: highs
	$(WITH_HIGHS) $(GO) test ./formulate ./tree ./tree/export ./heuristics/localsearch ./mps ./formulate/oct ./formulate/hyperplane ./formulate/linear ./formulate/gto ./solvers/solfile ./solvers/external ./experiments/spec ./experiments/report ./experiments/generate ./cmd/octgen -update

bench: highs tools
	scripts/bench.sh

# What was done before is kept in $(STUDY)/wide.json; remove it to begin again.
STUDY ?= bench-out
study: build
	scripts/paper.sh study
	bin/octgen run experiments/encodings/accel-oct.yaml --out '$(STUDY)/accel-oct' --resume
	scripts/install-solvers.sh
	bin/octgen run experiments/encodings/accel-oct-strengthen.yaml --out '$(STUDY)/accel-oct-strengthen' --resume
	VIRTUAL_ENV='$(abspath .tools/python)' bin/octgen run experiments/encodings/accel-oct-best.yaml --out '$(STUDY)/accel-oct-best' --resume
	VIRTUAL_ENV='$(abspath .tools/python)' bin/octgen run experiments/encodings/accel-oct-models.yaml --out '$(STUDY)/accel-oct-models' --resume
	$(WITH_HIGHS) OCTGEN_LONG=1 OCTGEN_STUDY='$(abspath $(STUDY))' $(GO) test ./internal/study -count 1 -run Wide -v -timeout 300m
	if command -v python3 >/dev/null; then scripts/peers.py >docs/tables/peers.md; else echo 'peers.md needs Python'; fi
	if command -v python3 >/dev/null; then scripts/proofs.py >docs/tables/proofs.md; fi
	if command -v python3 >/dev/null; then scripts/planes.py '$(STUDY)/planes.jsonl'; fi
	if python3 -c 'import sklearn, pandas' 2>/dev/null; then scripts/forests.py >docs/tables/forests.md; else echo 'forests.md needs scikit-learn and pandas'; fi

paper: build
	scripts/paper.sh full

paper-quick: build
	scripts/paper.sh quick

wheel: dist/octgen-$(shell $(GO) env GOOS)-$(shell $(GO) env GOARCH)
	scripts/wheels.sh $(<:dist/octgen-%=%)

# No paths, no build ids that depend on them, no clock: the same bytes twice. The
# one for linux/amd64 is static, with HiGHS inside; the others are without.
dist:
	rm -rf dist
	$(MAKE) --no-print-directory $(foreach p,$(PLATFORMS),dist/octgen-$(subst /,-,$(p)))
	cd dist && sha256sum octgen-* >SHA256SUMS && cat SHA256SUMS
	if command -v python3 >/dev/null; then scripts/wheels.sh; else echo 'no Python: no wheels'; fi

FORCE:

dist/octgen-%: FORCE
	os=$(word 1,$(subst -, ,$*)) arch=$(word 2,$(subst -, ,$*)) end=; [ $$os = windows ] && end=.exe || true; \
	CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -buildvcs=false \
	  -ldflags '$(LDFLAGS) -s -w -buildid=' -o dist/octgen-$$os-$$arch$$end ./cmd/octgen

dist/octgen-linux-amd64: highs
	mkdir -p dist
	$(WITH_HIGHS) CGO_ENABLED=1 GOOS=linux GOARCH=amd64 $(GO) build -trimpath -buildvcs=false -tags osusergo,netgo \
	  -ldflags '$(LDFLAGS) -s -w -buildid= -linkmode external -extldflags "-static -Wl,--build-id=none"' -o dist/octgen-linux-amd64 ./cmd/octgen

clean:
	rm -rf bin dist quickstart-results
