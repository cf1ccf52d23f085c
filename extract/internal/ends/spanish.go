package ends

var spanish = &language{
	name: "es",
	stop: listed(`el la los las un una unos unas lo al del de a ante bajo con contra desde durante en entre hacia hasta para por según sin sobre tras y e o u ni pero sino que como cuando donde quien cual cuyo si no sí
		ya aún todavía también tampoco sólo solo muy más menos mucho mucha muchos muchas poco algo alguno alguna algunos algunas todo toda todos todas cada otro otra otros otras mismo misma
		este esta estos estas ese esa esos esas aquel aquella esto eso aquí allí ahora luego después antes entonces
		es son era eran fue fueron ser sea sean está están estaba estar esté hay había haber ha han he hemos hacer hace hacen hecho hecha tener tiene tienen poder puede pueden deber debe deben debería deberían falta faltan queda quedan quedó
		yo tú él ella nosotros ellos me te se nos le les mi mis tu tus su sus nuestro nuestra porque pues así vez veces vía
		añadir añade añadido agregar agrega escribir escrito escribe pendiente pendientes abierto abierta dejar dejado deja siguiente próximo próxima`),
	numbers: counted("cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce"),
	work:    listed(`prueba pruebas probar test tests doc docs documentación documentar página páginas actualizar arreglar corregir error errores revisar revisión comprobar release versión versiones soporte cambio cambios archivo archivos fichero código función nota sección issue tarea implementar crear limpiar`),
	endings: []string{"aciones", "ación", "iciones", "ición", "amiento", "imiento", "ciones", "ción", "siones", "sión", "iendo", "ando", "adas", "ados", "idas", "idos", "ada", "ado", "ida", "ido", "aron", "ieron", "aría", "ería", "arla", "arlo", "arse", "ar", "er", "ir", "es", "as", "os", "an", "en", "ó", "a", "o", "e", "s"},
	leads: phrases(`sin empezar|no empezado|por empezar|pendiente|pendientes|aún pendiente|todavía pendiente|queda pendiente|quedan pendientes|puntos pendientes|tareas pendientes|temas pendientes|cosas pendientes|lo pendiente|lo que queda|lo que falta|qué queda|qué falta|queda|quedan|
		queda por hacer|por hacer|falta|faltan|falta por hacer|faltaría|abierto|abiertos|queda abierto|sigue abierto|siguen abiertos|puntos abiertos|preguntas abiertas|cuestiones abiertas|temas abiertos|todo|todos|to do|
		próximo paso|próximos pasos|siguiente|siguientes|siguiente paso|siguientes pasos|a continuación|después|luego|para después|más adelante|para más adelante|restante|restantes|trabajo restante|resta|
		sin hacer|no hecho|no incluido|no incluye|sin resolver|sin cerrar|por resolver|por decidir|decisión pendiente|por definir|aplazado|pospuesto|bloqueado|bloqueado por|a la espera|en espera|esperando|
		antes de la release|antes del tag|antes de publicar|antes de fusionar|antes de desplegar|antes de la versión|seguimiento|cabos sueltos|dejo fuera|fuera de alcance|no he hecho|no he tocado`),
	hints: phrases(`próxima|próximo|próximos|próximas|siguiente|siguientes|pendiente|pendientes|falta|faltan|faltaría|queda|quedan|quedaría|por delante|por hacer|por decidir|más adelante|no hice|no he|quedamos|antes de|sin hacer|sin resolver|fuera de alcance|a tener en cuenta|por el camino|os toca|te toca|depende de ti|habría que|hay que`),
	passing: phrases(`no se puede|no se pueden|sin empezar|tendrás que|vas a tener que|tenés que|tendrías que|tienes que|sin subir|sin publicar|sin desplegar|quedó de|me queda|os queda|te queda|sigue faltando|faltaba|faltará|hará falta|hace falta|harían falta|
		no pude|no he podido|no se pudo|nada nuevo|va después|lo próximo|recordad|recuerda|recordar|pediría|toca|se puede retirar|se puede quitar|se puede borrar|se puede eliminar|a medio|por confirmar|por revisar|recomiendo|recomendaría|sugiero|sería bueno|estaría bien|no está cubierto|no está cubierta|sin cubrir|sin tests|sin pruebas|sin probar|sin verificar|no probé|no ejecuté|no se ha|no se han|no incluye|no desplegué|no desplegado|fuera de este|otro pr|otra pr|próxima sesión|próximo paso|siguiente paso|provisional|
		sigue|siguen|sigue sin|siguen sin|sin mirar|sin revisar|sin copiar|sin fecha|sin respuesta|sin novedad|sin plan|a medias|en rojo|no está hecha|no está hecho|lo que no hice|no hice|nadie ha|nadie lo ha|conviene|convendría|convendrían|debería|deberían|debes|deben|
		hasta que|necesita|necesitan|propongo|confirmar|pide|no existe|no entra aquí|no entra|no lo toco|no toco|no sé si|todavía|aún|queda|quedan|pendiente|pendientes|bloqueado|bloqueada|espero|solicitada|sin avisar|no avisa|no ha salido|no han salido|no hay plan|
		habría|tocaría|tocará|falla|va a fallar|volver a fallar|no me olvido|mañana|decidir|elegir|
		queda pendiente|quedan pendientes|quedó pendiente|está pendiente|están pendientes|sigue pendiente|siguen pendientes|pendiente de|pendientes de|sigue abierto|sigue abierta|siguen abiertos|queda abierto|queda abierta|queda por|quedan por|quedaría|quedarían|
		falta|faltan|faltaría|faltarían|todavía no|aún no|aun no|no está todavía|es lo siguiente|es el siguiente|será lo siguiente|lo siguiente es|el siguiente paso|habría que|habrá que|hay que|tendríamos que|tenemos que|
		por hacer|por decidir|por definir|sin decidir|sin resolver|sin hacer|no he|no lo he|no la he|no los he|no las he|dejo para|lo dejo|la dejo|he dejado|a la espera|espera de|esperando|está bloqueado|bloqueada por|bloqueado por|necesita aún|más adelante|queda fuera`),
	nothing: phrases(`nada|ninguno|ninguna|nada pendiente|nada más|nada abierto|no queda nada|no queda nada pendiente|no hay nada pendiente|todo hecho|todo listo|todo cerrado|hecho|listo|sin pendientes|no hay pendientes|no aplica`),
	offers:  phrases(`quieres que|¿quieres que|¿quieres|te gustaría|¿te gustaría|¿te parece|si quieres|si lo prefieres|si te parece|puedo también|también puedo|¿debo|avísame|dime si`),
}
