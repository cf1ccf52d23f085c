package redact

func (m *Masker) hidden(found []secret, _ *ruleSet, _ string) []secret { return found }
