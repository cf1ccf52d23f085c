// Package verify finds what is wrong with a vault and with what is remembered of it,
// and lists where secrets are masked. It changes neither.
//
// Only text of ours is judged: links in properties and regions that nobody changed, and what
// would act in such regions. What would act is not judged in a vault with templates of its user,
// whose words may mean to. Secrets are looked for in all regions of ours.
package verify
