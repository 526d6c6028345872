package sheets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetTable reads a Parquet file of plain columns. An index that pandas stored is left out.
func parquetTable(file []byte) (t *Table, err error) {
	defer func() { // the library panics on some damaged files
		if e := recover(); e != nil {
			t, err = nil, fmt.Errorf("the Parquet file is damaged: %v", e)
		}
	}()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, fmt.Errorf("the Parquet file is damaged: %v", err)
	}
	t = &Table{Line: 1}
	var header []string
	var write []func(parquet.Value) string // by column of the file; nil: left out
	for _, field := range f.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			return nil, fmt.Errorf("the Parquet column %q is nested; write it as plain columns, or leave it out of the file", field.Name())
		}
		if strings.HasPrefix(field.Name(), "__index_level_") {
			t.Said, write = append(t.Said, fmt.Sprintf("without the index %q", field.Name())), append(write, nil)
			continue
		}
		text, err := textOf(field.Type())
		if err != nil {
			return nil, fmt.Errorf("the Parquet column %q %v", field.Name(), err)
		}
		header, write = append(header, field.Name()), append(write, text)
	}
	t.Rows = append(t.Rows, header)
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		err := t.add(rows, write, len(header))
		if err = errors.Join(err, rows.Close()); err != nil {
			return nil, fmt.Errorf("the Parquet file is damaged: %v", err)
		}
	}
	return t, nil
}

// add adds the rows of a group.
func (t *Table) add(rows parquet.Rows, write []func(parquet.Value) string, width int) error {
	buffer := make([]parquet.Row, 128)
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			line := make([]string, 0, width)
			for _, v := range row {
				switch text := write[v.Column()]; {
				case text == nil:
				case v.IsNull():
					line = append(line, "")
				default:
					line = append(line, text(v))
				}
			}
			if len(line) != width {
				return fmt.Errorf("row %d has %d values; want %d", len(t.Rows), len(line), width)
			}
			t.Rows = append(t.Rows, line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// textOf returns how values of a type are written.
func textOf(of parquet.Type) (func(parquet.Value) string, error) {
	if logical := of.LogicalType(); logical != nil {
		switch l := logical.Value.(type) {
		case *format.DecimalType:
			return func(v parquet.Value) string { return decimal(v, int(l.Scale)) }, nil
		case *format.DateType:
			return func(v parquet.Value) string {
				return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().Format(time.DateOnly)
			}, nil
		case *format.TimestampType:
			second := int64(1e9)
			switch l.Unit.Value.(type) {
			case *format.MilliSeconds:
				second = 1e3
			case *format.MicroSeconds:
				second = 1e6
			}
			return func(v parquet.Value) string {
				at := v.Int64()
				whole := at / second
				if at%second < 0 {
					whole--
				}
				return moment(whole, (at-whole*second)*(1e9/second))
			}, nil
		case *format.IntType:
			if !l.IsSigned {
				return unsigned, nil
			}
		}
	}
	switch of.Kind() {
	case parquet.Boolean:
		return func(v parquet.Value) string { return strconv.FormatBool(v.Boolean()) }, nil
	case parquet.Int32, parquet.Int64:
		return func(v parquet.Value) string { return v.String() }, nil
	case parquet.Int96:
		return func(v parquet.Value) string {
			at := v.Int96()
			const epoch = 2440588 // Julian day of 1970-01-01
			nanoseconds := int64(at[1])<<32 | int64(at[0])
			return moment((int64(at[2])-epoch)*24*60*60+nanoseconds/1e9, nanoseconds%1e9)
		}, nil
	case parquet.Float:
		return func(v parquet.Value) string { return real(float64(v.Float()), 32) }, nil
	case parquet.Double:
		return func(v parquet.Value) string { return real(v.Double(), 64) }, nil
	case parquet.ByteArray:
		return func(v parquet.Value) string {
			if b := v.ByteArray(); utf8.Valid(b) {
				return string(b)
			}
			return fmt.Sprintf("%x", v.ByteArray())
		}, nil
	case parquet.FixedLenByteArray:
		return func(v parquet.Value) string { return fmt.Sprintf("%x", v.ByteArray()) }, nil
	}
	return nil, fmt.Errorf("has the type %v, which is not known", of)
}

func unsigned(v parquet.Value) string {
	if v.Kind() == parquet.Int32 {
		return strconv.FormatUint(uint64(v.Uint32()), 10)
	}
	return strconv.FormatUint(v.Uint64(), 10)
}

// real writes a number; NaN is missing.
func real(v float64, bits int) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// moment writes a time in UTC, with a fraction of a second where there is one.
func moment(seconds, nanoseconds int64) string {
	return time.Unix(seconds, nanoseconds).UTC().Format("2006-01-02 15:04:05.999999999")
}

// decimal writes an integer of so many decimals.
func decimal(v parquet.Value, scale int) string {
	var whole *big.Int
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		whole = big.NewInt(v.Int64())
		if v.Kind() == parquet.Int32 {
			whole = big.NewInt(int64(v.Int32()))
		}
	default:
		b := slices.Clone(v.ByteArray()) // two's complement, the highest byte first
		whole = new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0]&0x80 != 0 {
			whole.Sub(whole, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	text, sign := new(big.Int).Abs(whole).String(), ""
	if whole.Sign() < 0 {
		sign = "-"
	}
	if scale <= 0 {
		return sign + text + strings.Repeat("0", -scale)
	}
	text = strings.Repeat("0", max(0, scale+1-len(text))) + text
	return sign + text[:len(text)-scale] + "." + text[len(text)-scale:]
}
