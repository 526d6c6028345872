package export

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages of onnx.proto that a model here has, each as its encoding. A field is
// appended with its number in that file.

// message is an encoded message under construction.
type message []byte

func (m message) bytes(field protowire.Number, v []byte) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

func (m message) text(field protowire.Number, v string) message { return m.bytes(field, []byte(v)) }

func (m message) number(field protowire.Number, v int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

// Types of elements: TensorProto.DataType.
const (
	onnxUint8  = 2
	onnxInt64  = 7
	onnxString = 8
	onnxDouble = 11
)

// tensorHead is a TensorProto without its data.
func tensorHead(name string, kind int64, dims []int64) message {
	var m message
	for _, d := range dims {
		m = m.number(1, d)
	}
	return m.number(2, kind).text(8, name)
}

func doubleTensor(name string, v []float64, dims ...int64) message {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return tensorHead(name, onnxDouble, dims).bytes(9, raw)
}

func int64Tensor(name string, v []int64, dims ...int64) message {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return tensorHead(name, onnxInt64, dims).bytes(9, raw)
}

func uint8Tensor(name string, v []byte, dims ...int64) message {
	return tensorHead(name, onnxUint8, dims).bytes(9, v)
}

func stringTensor(name string, v []string, dims ...int64) message {
	m := tensorHead(name, onnxString, dims)
	for _, s := range v {
		m = m.text(6, s)
	}
	return m
}

// Attributes: AttributeProto, with its type.

func intAttribute(name string, v int64) message {
	return message(nil).text(1, name).number(3, v).number(20, 2)
}

func tensorAttribute(name string, t message) message {
	return message(nil).text(1, name).bytes(5, t).number(20, 4)
}

func intsAttribute(name string, v []int64) message {
	m := message(nil).text(1, name)
	for _, x := range v {
		m = m.number(8, x)
	}
	return m.number(20, 7)
}

func stringsAttribute(name string, v []string) message {
	m := message(nil).text(1, name)
	for _, s := range v {
		m = m.text(9, s)
	}
	return m.number(20, 8)
}

// operatorNode is a NodeProto; domain "" is that of ONNX itself.
func operatorNode(domain, operator string, inputs []string, output string, attributes ...message) message {
	var m message
	for _, in := range inputs {
		m = m.text(1, in)
	}
	m = m.text(2, output).text(3, output).text(4, operator)
	for _, a := range attributes {
		m = m.bytes(5, a)
	}
	return m.text(7, domain)
}

// valueInfo is a ValueInfoProto of a tensor of N rows and, where it is not 0, so many
// columns.
func valueInfo(name string, kind, columns int64) message {
	shape := message(nil).bytes(1, message(nil).text(2, "N"))
	if columns > 0 {
		shape = shape.bytes(1, message(nil).number(1, columns))
	}
	tensor := message(nil).number(1, kind).bytes(2, shape)
	return message(nil).text(1, name).bytes(2, message(nil).bytes(1, tensor))
}
