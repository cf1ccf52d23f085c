package ends

var german = &language{
	name: "de",
	stop: listed(`der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener und oder aber sondern auch noch schon nur erst dann wenn als wie so
		an am auf aus bei beim bis durch für gegen hinter im in ins mit nach neben ohne seit über um unter vom von vor während wegen zu zum zur zwischen
		ist sind war waren sein wird werden wurde wurden worden hat haben hatte hatten habe kann können konnte muss müssen müsste soll sollen sollte sollten darf dürfen will wollen würde mag
		ich du er sie es wir ihr mich dich sich uns euch mein dein unser euer ihre ihren ihrem seine seinen
		nicht kein keine keinen keiner keines ja nein doch mal bitte hier dort da dabei dafür damit davon dazu darauf daran daraus wo was wer wen wem welche welcher welches warum wieso
		alle alles allem aller jede jeder jedes jeden einige manche mehr sehr viel viele man bereits weiter weitere weiteren weiterhin später danach vorher jetzt nun immer wieder
		machen macht gemacht tun getan geben gibt schreiben geschrieben ergänzen ergänzt hinzufügen hinzugefügt offen fehlt fehlen bleibt bleiben statt pro per via`),
	numbers: counted("null eins/ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
	work:    listed(`test tests testen doku dokumentation seite seiten aktualisieren update fehler prüfen release version versionen unterstützung änderung änderungen datei dateien code funktion notiz abschnitt issue ticket review merge aufgabe implementieren aufräumen`),
	endings: []string{"ierungen", "ierung", "ationen", "ation", "ungen", "ung", "ieren", "iert", "ionen", "ion", "innen", "ern", "em", "en", "er", "es", "et", "st", "s", "e", "n", "t"},
	leads: phrases(`offen|noch offen|offen geblieben|bleibt offen|offen bleibt|offen ist|offene punkte|offener punkt|offene frage|offene fragen|offene themen|offene aufgaben|offenes|was noch offen ist|was offen ist|was offen bleibt|
		zu tun|noch zu tun|was noch zu tun ist|zu erledigen|noch zu erledigen|to do|todo|todos|nächste schritte|nächster schritt|als nächstes|als nächster schritt|danach|weiter|weiteres vorgehen|wie weiter|
		rest der liste|noch auf der liste|auf dem zettel|verbleibend|verbleibt|es verbleibt|rest|restarbeiten|restpunkte|übrig|noch übrig|ausstehend|steht aus|steht noch aus|noch ausstehend|es fehlt|es fehlt noch|fehlt|fehlt noch|noch fehlend|was fehlt|was noch fehlt|
		nicht gemacht|nicht erledigt|noch nicht|noch nicht erledigt|noch nicht gemacht|nicht enthalten|nicht dabei|zurückgestellt|vertagt|verschoben|später|für später|unerledigt|ungeklärt|ungelöst|zu klären|noch zu klären|
		zu entscheiden|noch zu entscheiden|entscheidung offen|entscheidung nötig|blockiert|wartet|wartet auf|warten auf|vor dem tag|vor dem release|vor der veröffentlichung|vor dem merge|vor dem deployment|bekannte lücken|lücken|merkposten|folgearbeiten|nacharbeiten`),
	hints: phrases(`nächste|nächster|nächsten|nächstes|als nächstes|offen|offene|offener|offenes|später|weitermachen|weitergehen|weiter geht|weiter geht's|übrig|übrige|verbleibend|verbleibende|fehlt|fehlen|fehlt noch|zettel|todo|danach|liegen gelassen|liegengelassen|nicht gemacht|nicht erledigt|nicht angefasst|nicht enthalten|ausstehend|ausstehende|vor dem|noch nicht|noch zu|noch auf|noch aus|noch an|bleibt|bleiben|unerledigt|aufgefallen|folgearbeiten|nacharbeit|zu klären|zu entscheiden|zu tun|müsst ihr|müssen wir|braucht ihr|bräuchte ich`),
	passing: phrases(`unbeantwortet|steht noch|stehen noch|stehen noch aus|wäre nötig|wären nötig|wäre sinnvoll|wäre gut|lohnt sich|im auge behalten|nicht eingeschaltet|nur lokal|nur auf|müsstest|müsstet|du musst|ihr müsst|habe ich nicht|weiß ich nicht|heute nicht|vorher nicht|sind sie nicht|ist er nicht|ist sie nicht|ist es nicht|
		nicht behoben|stehen lassen|stehen gelassen|nicht abnehmen|brauche ich|bräuchte ich|würde ich|hat das niemand|nicht heute|entfernt werden|gelöscht werden|kann weg|können weg|kann raus|geändert habe ich|nicht veröffentlicht|nicht gepusht|nicht deployt|nicht ausgerollt|nicht ausgeführt|nicht umgesetzt|nicht enthalten|nicht möglich|konnte ich nicht|konnte nicht|konnten nicht|empfehle|empfehlen|empfehlung|solltest|solltet|sollten wir|müsst|musst|bitte noch|nicht angepasst|nicht migriert|nicht umgestellt|platzhalter|folgt|folgen noch|steht … bevor|außerhalb|
		sollte|sollten|sollte man|müsste|müssten|muss|müssen|gehört in|gehören in|gehört nachgezogen|noch niemand|noch keiner|noch kein|noch keine|noch keinen|noch keins|niemand hat|hat niemand|weiterhin keiner|weiterhin niemand|keiner bestätigt|
		noch … nicht|nicht … noch|immer noch|nach wie vor|weiterhin|bräuchte|bräuchten|braucht es|würde sich lohnen|wäre der|wäre die|nicht gereicht|nicht testen|nicht getestet|nicht geprüft|nicht reproduziert|nicht gemessen|ungetestet|
		fehlt|fehlen|zum review|im review|steht … aus|stehen … aus|einplanen|eingeplant|gegenlesen|eigener schritt|eigenes issue|eigenes ticket|eigener pr|noch rot|ist … rot|offen|unbekannt|nicht im release|bei gelegenheit|als entwurf|
		sobald|bevor|erst wenn|erst mit|bis … wieder|ohne … merge|nicht vor|bescheid geben|sagt bescheid|entscheidung|entscheiden|absprechen|abstimmen|klären|nachziehen|nachgezogen|nicht umbenannt|nicht eingebaut|nicht geändert|geblieben|könnte man|könnten wir|vorschlag|nächster schritt|
		noch offen|ist offen|sind offen|bleibt offen|bleiben offen|offen gelassen|offengelassen|steht noch aus|stehen noch aus|steht aus|stehen aus|fehlt noch|fehlen noch|noch fehlt|noch fehlen|fehlt weiterhin|
		noch nicht|bleibt noch|bleiben noch|ist noch zu|sind noch zu|noch zu tun|noch zu klären|muss noch|müssen noch|müsste noch|müssten noch|sollte noch|sollten noch|sollten wir noch|müssen wir noch|kommt als nächstes|kommen als nächstes|ist als nächstes|
		als nächstes|wäre noch|wären noch|habe ich nicht|habe ich noch nicht|hab ich nicht|hab ich noch nicht|nicht angefasst|wartet auf|warten auf|wartet noch|blockiert|ungeklärt|unklar ist|nicht entschieden|zu entscheiden|
		bräuchte noch|brauchen noch|braucht noch|noch jemand|übrig|ausstehend`),
	nothing: phrases(`nichts|keine|keiner|keines|nichts offen|nichts mehr|nichts mehr offen|nichts weiter|nichts weiteres|nichts übrig|alles erledigt|alles fertig|alles gemacht|erledigt|fertig|keine offenen punkte|keine offenen fragen|keine weiteren schritte|entfällt`),
	offers:  phrases(`soll ich|sollen wir|möchtest du|möchten sie|willst du|wollen sie|wenn du magst|wenn du willst|falls du|falls gewünscht|sag bescheid|gib bescheid|ich kann auch|ich könnte auch|gerne kann ich`),
}
