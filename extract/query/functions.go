package query

import "strings"

// functions are those that a statement may call: they compute values of values. What makes text
// of any length out of nothing, tells of the program or reaches out of the database is not here.
func functions() []string {
	return strings.Fields(`
		abs char coalesce concat concat_ws format glob hex unhex ifnull iif if instr length like likelihood likely lower ltrim max min nullif octet_length
		printf quote replace round rtrim sign soundex substr substring trim typeof unicode unlikely upper random
		avg count group_concat string_agg sum total median
		row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
		date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
		json json_array json_array_length json_extract json_group_array json_group_object json_object json_type json_valid json_quote json_pretty json_each json_tree -> ->>
		acos asin atan atan2 ceil ceiling cos degrees exp floor ln log log10 log2 mod pi pow power radians sin sqrt tan trunc`)
}
