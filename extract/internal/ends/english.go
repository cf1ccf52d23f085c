package ends

import "strings"

// placeWords name a place, though the first of them is a hint of what is open.
const placeWords = "next to "

var english = &language{
	name:    "en",
	stemmer: englishStem,
	stop: listed(`a an the this that these those it its they them their we our us you your i my me he she his her
		and or but nor so if then than as at by for from in into of off on onto out over to under until up with without within about
		is are was were be been being am do does did done doing have has had having can could may might must shall should will would need needs needed
		not no yes only also just still yet again once already now later soon next before after while when where which who whom what why how
		all any both each few more most other another some such same own very too well there here per via
		let make makes made making get gets got go goes going use uses used using instead rather
		add adds added adding write writes written writing put see look take takes taken please todo open left remaining`),
	numbers: counted("zero one two three four five six seven eight nine ten eleven twelve"),
	work: listed(`test tests testing doc docs documentation document page pages update updates fix fixes bug bugs check checks release releases version versions support change changes
		file files code function functions note notes section sections issue issues pr ticket error errors commit branch review run merge task implement implementation create handle handling cleanup clean`),
	leads: phrases(`also noticed|also spotted|also seen|noticed|spotted|leftover|side note|caveats|
		open decision|open decisions|open matters|open tasks|open topics|known limitation|known limitations|limitations|known issue|known issues|known problems|heads-up|heads up|gotchas|still to come|what's still to come|what comes next|coming next|
		loose end|still ahead|ahead|to be done|to check|please check|please confirm|to confirm|for you to decide|please decide|decide|questions for you|question for you|from you|what i need from you|not started|not begun|can wait|open|open end|open ends|open item|open items|open point|open points|open question|open questions|open issue|open issues|left open|still open|left|left to do|still to do|what is left|what's left|
		what is still open|what's still open|what remains|still left|todo|todos|to do|to-do|to-dos|remaining|remaining work|remaining items|remaining steps|remains|still remaining|next|next step|next steps|next up|up next|
		follow-up|follow-ups|follow up|follow ups|followup|followups|outstanding|pending|still pending|not done|not done yet|not yet done|not yet|not done here|not in this change|not included|
		deferred|later|for later|postponed|parked|unresolved|unfinished|still missing|missing|blocked|blocked on|blocked by|waiting|waiting for|waiting on|needs a decision|decision needed|decisions needed|
		to decide|to be decided|tbd|undecided|before the tag|before the release|before release|before merging|before we merge|before we ship|before merge|before you merge|before you deploy|
		i did not|i have not|i haven't|i didn't|what i did not do|what i didn't do|not touched|caveat|known gap|known gaps|gaps|leftover|leftovers|loose ends|on my list|on your side|for you|your call`),
	hints: phrases(`not tested|not verified|not checked|not looked at|not translated|not migrated|not converted|not updated|not fixed|not implemented|not reviewed|not measured|not run|not handled|still ahead|loose ends|lying around|
		what's left|what is left|what remains|before|can wait|can come later|not started|next|remaining|remains|todo|todos|pending|outstanding|missing|unfinished|unresolved|follow-up|follow-ups|deferred|later|to do|to decide|to be done|not done|not covered|not included|not … yet|did not|didn't|have not|haven't|nothing … off|is left|are left|left to|left over|left out|i left|leftovers|open questions|open points|open items|open issues|before anybody|before anyone|before you|before we|before it|before this|before the|needs you|need you|need from you|your side|noticed on the way|out of scope|i'd do|i would do|should happen|still needs|still need|still to`),
	passing: phrases(`next session|please verify|please confirm|please review|please test|please tell|please ask|please look|please have|the only ~ missing|would improve|
		still fail|still say|still read|still show|still carry|still use|still list|still point|still take|still takes|still come|still comes|we could|one could|could be split|could be shortened|could be simplified|could be moved|could be merged|could be replaced|could be cached|could be reused|could be extracted|has only seen|has only been|have only been|can't check|can't verify|cannot check|cannot verify|see from here|tell from here|low impact|expires on|expire on|for now|for the moment|would help|would catch|not documented|undocumented|isn't documented|aren't documented|ships without|without a test|without tests|work in progress|not reviewed|unreviewed|i'd also|i'd still|
		you must|we must|someone must|somebody must|admin must|owner must|team must|all that's left|all that is left|only thing left|is yours|are yours|next would be|would be next|i hit|i ran into|came across|pre-existing|preexisting|predates this|not new|was there before|once in ~ runs|one in ~ runs|out of ~ runs|sometimes fails|sometimes hangs|fails sometimes|intermittently|cause unknown|cause is unknown|can't explain|cannot explain|i don't know|no idea why|unclear|before someone|before somebody|before anybody|wants an|wants to be|tomorrow|next week|i need|i'd need|is no longer used|are no longer used|is unused|are unused|is dead code|not ready|isn't ready|aren't ready|out of hours|is experimental|as experimental|never seen|would have to|will have to|
		would know|would tell|would fix|would solve|we'll see|remains to be seen|time will tell|can disappear|can be archived|can be retired|the clean way|the proper fix|a clean fix|a proper fix|the real fix|cosmetic|not urgent|no hurry|no rush|low priority|when you get a chance|when you have a chance|when you get to it|when you find time|approve it|once approved|once you approve|your approval|can't reach|cannot reach|i have no access|i can't access|only ~ so far|depends on the answer|depends on your|
		at some point|can wait|never been|has never|have never|needs a rerun|not started|worth replacing|worth doing|worth checking|worth asking|yours to|still only|has to change|do it before|i'd|keep an eye on|can be turned on|can be switched on|what's left|what is left|someone has to|somebody has to|has to renew|haven't been able|have not been able|you'll need|you will need|you need to|make sure|doesn't exist yet|does not exist yet|only tested|only been tested|for a later|in a later|in a follow-up|in a separate|not going to|may still|might still|would be good|would be nice|good idea to|nice to have|
		isn't written|aren't written|not written yet|not merged|no test in|no test for|no test covers|no end-to-end test|same shape of bug|same omission|same pattern|same problem|same bug|on your side|has to be|have to be|i noticed|flag can go|can go now|can be cleaned up|can be switched off|can be turned off|your decision|we should|you should|you'll want to|you will want to|you may want to|i'd recommend|i recommend|i'd suggest|i suggest|recommended next|next step|next up|remains|still to come|to follow|not part of this|out of scope|not included|not wired|not deployed|not pushed|not released|not migrated|not updated|not fixed|not implemented|not handled|not verified|not run|wasn't able|was not able|unable to|wasn't run|were not run|was not run|placeholder|stubbed|
		is next|are next|comes next|come next|goes next|still open|remains open|remain open|left open|leave open|left to do|still to do|to be done|
		not yet|not … yet|n't … yet|has not been|have not been|hasn't been|haven't been|was not done|were not done|still needs|still need|still has to|still have to|still must|remains to|remain to|needs to be|need to be|
		is missing|are missing|still missing|is pending|are pending|still pending|is outstanding|are outstanding|waits for|waiting for|waiting on|is waiting|is blocked|are blocked|blocked on|blocked by|is left|are left|
		follow-up|follow up|i left|i have left|i've left|i did not|i didn't|i have not|i haven't|should be done|should still|must still|will need|is undecided|not decided|undecided|to be decided|up to you|your decision|your call|
		should|needs|yet|until|still the|still a|still is|is still|are still|still there|still has|still have|still no|still says|still reads|still shows|still carries|still grows|still fails|still uses|still lists|still points|still red|stays red|stay red|stays open|
		no tests|not tested|untested|not covered|not measured|not reproduced|lacks|lack|never happened|could not|couldn't|can't be|no alert|
		needs a|needs an|needs the|need a|need an|need the|the same bug|same kind of bug|should confirm|ought to|i'd want|i'd like|i would want|i'd rather|i'd do|i'd log|i'd wrap|i'd move|i'd wait|wants a|calls for|
		can be dropped|can be deleted|can be removed|can go once|to be confirmed|to be removed|to be renamed|would have to|would need|worth a|worth an|before the release|before the tag|before anyone|before it's merged|before merging|before we|
		before closing|after the release|after the tag|once that|separate pr|separate issue|separate ticket|own pr|own issue|own ticket|another pr|another session|when you have time|
		someone should|somebody should|somebody has to|someone has to|someone needs to|nobody has|no one has|no reaction|no answer yet|in review|is with you|please run|please check|please decide|remember to|don't forget`),
	nothing: phrases(`nothing|none|n/a|na|no|nothing left|nothing open|nothing pending|nothing more|nothing else|none remaining|nothing remaining|nothing is left|nothing is open|nothing remains|nothing left to do|
		no next steps|no open questions|no open points|no open items|no further steps|no remaining work|no follow-up|no follow-ups|all done|done|everything is done|nothing blocked|not blocked`),
	offers: phrases(`shall i|should i|want me to|do you want|would you like|if you like|if you want|let me know|i can also|i could also|happy to`),
}

// englishStem cuts off what makes a plural, a past, a noun or an adverb of a word. "rotate", "rotates",
// "rotating" and "rotation" become one.
func englishStem(word string) string {
	long := func(s string) bool { return len(s) >= minStem }
	for _, ending := range []string{"ings", "ing", "ions", "ion", "ied", "ies", "ed", "es", "s", "e", "y"} {
		rest, ok := strings.CutSuffix(word, ending)
		if !ok || !long(rest) || ending == "s" && strings.HasSuffix(rest, "s") {
			continue
		}
		word = rest
		if n := len(word); (ending == "ing" || ending == "ings" || ending == "ed") && n > minStem && word[n-1] == word[n-2] && !strings.ContainsRune("ls", rune(word[n-1])) {
			word = word[:n-1] // dropping, dropped
		}
		break
	}
	if rest, ok := strings.CutSuffix(word, "at"); ok && len(rest) > 4 {
		word = rest // documentation, document
	}
	return word
}
