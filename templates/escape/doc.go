// Package escape turns text of a transcript into inert markdown of one place: a
// line, a block, a code span, a fence, a cell of a table, the text of a link. Each
// function is made for one place and holds nowhere else.
//
// # What the escapers promise
//
// Text of a transcript is data. Whatever it holds, no page made of it holds a
// live wikilink, embed, image, tag, footnote, block id, comment, formula,
// highlight, HTML element, inline field, query, task box, callout, heading or
// frontmatter fence that a template did not write; links lead to http and https
// only; no control, bidirectional or zero-width character hides anything. What
// is harmless stays markdown: paragraphs, lists, tables, emphasis, quotes, code.
//
// Outside code a live character gets a backslash, so the reading view shows the
// text as it was. Inside code, where a backslash would show, three things are
// replaced and can be turned back by hand:
//
//   - "<%" is written "< %", since Templater runs it even in code;
//   - "%% sessionloom" is written "% % sessionloom", since it delimits our regions;
//   - a fence whose text starts with "=" or "$=" gets a backslash before it, since
//     Dataview evaluates it. A code span of that kind loses its code style instead.
//
// Dataview also takes "key:: value" out of code; code is left as it is there.
package escape
