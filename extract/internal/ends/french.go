package ends

var french = &language{
	name: "fr",
	stop: listed(`le la les l un une des du de d à au aux avec chez contre dans depuis en entre jusque par pendant pour sans selon sous sur vers et ou mais ni donc or car que qu qui quoi dont où quand comme si ne pas plus
		ce cet cette ces cela ça ceci il elle on nous vous ils elles je tu me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos y
		est sont était étaient être été soit a ont avait avoir ai fait faire faut doit doivent peut peuvent reste restent rester encore déjà toujours aussi très bien tout toute tous toutes chaque autre autres même
		ici là maintenant ensuite puis après avant alors ajouter ajouté écrire écrit ouvert ouverte`),
	numbers: counted("zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze"),
	work:    listed(`test tests tester doc docs documentation page pages mettre jour corriger erreur erreurs vérifier version versions support changement fichier fichiers code fonction note section ticket tâche revue créer nettoyer`),
	endings: []string{"issements", "issement", "ements", "ement", "ations", "ation", "itions", "ition", "ions", "ion", "antes", "ants", "ante", "ant", "ées", "és", "ée", "er", "ir", "ez", "es", "é", "e", "s", "x"},
	leads: phrases(`à faire|reste à faire|restant|restants|reste|il reste|ce qui reste|ouvert|ouverts|points ouverts|questions ouvertes|question ouverte|encore ouvert|encore à faire|en suspens|laissé ouvert|laissé de côté|non fait|pas encore fait|pas fait|pas encore|
		prochaine étape|prochaines étapes|étape suivante|étapes suivantes|suite|la suite|ensuite|à suivre|suivi|plus tard|pour plus tard|reporté|différé|en attente|bloqué|bloqué par|à décider|décision à prendre|à clarifier|non résolu|manque|il manque|manquant|avant la release|avant le tag|avant la version|todo|to do`),
	hints:   phrases(`prochaine|prochaines|prochain|reste|restent|restant|restants|à faire|à décider|plus tard|ensuite|en attente|manque|manquent|pas encore|pas fait|avant de|il faut|il faudra|en suspens`),
	passing: phrases(`reste à|restent à|il reste|reste ouvert|restent ouverts|encore ouvert|encore à|pas encore|toujours pas|n'ai pas|n'a pas encore|est la prochaine|sera la prochaine|en suspens|en attente|attend|à décider|non décidé|il manque|manque encore|manquent encore|il faudrait|il faudra|il faut encore|bloqué par|plus tard`),
	nothing: phrases(`rien|aucun|aucune|rien à faire|rien de plus|rien d'autre|plus rien|tout est fait|tout est terminé|fait|terminé|néant|sans objet`),
	offers:  phrases(`veux-tu|voulez-vous|souhaites-tu|souhaitez-vous|dois-je|si tu veux|si vous voulez|je peux aussi|dis-moi si|dites-moi si`),
}
