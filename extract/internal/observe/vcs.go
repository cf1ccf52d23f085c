package observe

// Part parts files by what version control says of their paths from the
// vault's root; where there is none to ask all are others.
func Part[F any](ask func([]string) (map[string]bool, error), files []F, path func(F) string) (named, others []F, err error) {
	if ask == nil || len(files) == 0 {
		return nil, files, nil
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = path(f)
	}
	said, err := ask(paths)
	for i, f := range files {
		if said[paths[i]] {
			named = append(named, f)
		} else {
			others = append(others, f)
		}
	}
	return named, others, err
}
