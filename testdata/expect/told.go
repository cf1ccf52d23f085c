package expect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Told returns a value in lines, one for each of its parts that is not empty: where it is, and what it is.
func Told(v any) string {
	var b strings.Builder
	tell(&b, "", reflect.ValueOf(v))
	return b.String()
}

func tell(b *strings.Builder, at string, v reflect.Value) {
	if !v.IsValid() || v.IsZero() {
		return
	}
	if v.Type() == reflect.TypeFor[time.Time]() {
		fmt.Fprintf(b, "%s: %s\n", at, v.Interface().(time.Time).UTC().Format(time.RFC3339Nano))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			tell(b, strings.TrimPrefix(at+"."+v.Type().Field(i).Name, "."), v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			tell(b, fmt.Sprint(at, " ", i), v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, key := range keys {
			tell(b, fmt.Sprint(at, " ", key), v.MapIndex(key))
		}
	case reflect.Pointer, reflect.Interface:
		if v.Elem().IsZero() {
			fmt.Fprintf(b, "%s: %v\n", at, v.Elem())
		}
		tell(b, at, v.Elem())
	case reflect.String:
		fmt.Fprintf(b, "%s: %q\n", at, v.String())
	default:
		fmt.Fprintf(b, "%s: %v\n", at, v)
	}
}
