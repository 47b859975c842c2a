//! Names of fields in Portuguese, Spanish, German, French and Italian: the words that the lints know,
//! in English.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What nothing is called in English, without its marks, by code point; beside each what it says.
const WORDS: &[(&str, &str)] = &[
    ("absicht", "intent"),
    ("actualizacion", "updated"),
    ("actualizado", "updated"),
    ("adresse", "address"),
    ("agendada", "scheduled"),
    ("agendado", "scheduled"),
    ("agendamento", "scheduled"),
    ("aggiornato", "updated"),
    ("aktualisiert", "updated"),
    ("aktualisierung", "updated"),
    ("anfrage", "request"),
    ("angelegt", "created"),
    ("anmerkung", "note"),
    ("anzahl", "number"),
    ("aparelho", "device"),
    ("assinatura", "signature"),
    ("atualizacao", "updated"),
    ("atualizada", "updated"),
    ("atualizado", "updated"),
    ("beginn", "start"),
    ("bemerkung", "note"),
    ("benutzer", "user"),
    ("beschreibung", "description"),
    ("bestellung", "order"),
    ("betrag", "amount"),
    ("bonifico", "transfer"),
    ("cantidad", "quantity"),
    ("causale", "remittance"),
    ("chave", "key"),
    ("chiave", "key"),
    ("clave", "key"),
    ("cle", "key"),
    ("cliente", "customer"),
    ("codice", "code"),
    ("codigo", "code"),
    ("comentario", "comment"),
    ("comentarios", "comment"),
    ("commande", "order"),
    ("commentaire", "comment"),
    ("commento", "comment"),
    ("compte", "account"),
    ("consegna", "delivery"),
    ("conta", "account"),
    ("contador", "count"),
    ("contagem", "count"),
    ("conteo", "count"),
    ("conto", "account"),
    ("correlacao", "correlation"),
    ("correlacion", "correlation"),
    ("correlazione", "correlation"),
    ("creacion", "created"),
    ("creada", "created"),
    ("creado", "created"),
    ("creata", "created"),
    ("creato", "created"),
    ("creazione", "created"),
    ("creee", "created"),
    ("criacao", "created"),
    ("criada", "created"),
    ("criado", "created"),
    ("datahora", "timestamp"),
    ("datum", "date"),
    ("debut", "start"),
    ("descricao", "description"),
    ("descripcion", "description"),
    ("descrizione", "description"),
    ("devise", "currency"),
    ("direccion", "address"),
    ("dispositivo", "device"),
    ("divisa", "currency"),
    ("echeance", "due"),
    ("em", "at"),
    ("empfangen", "received"),
    ("ende", "end"),
    ("endereco", "address"),
    ("entrega", "delivery"),
    ("enviada", "sent"),
    ("enviado", "sent"),
    ("envoye", "sent"),
    ("ereignis", "event"),
    ("erstellt", "created"),
    ("erstellung", "created"),
    ("estado", "status"),
    ("evenement", "event"),
    ("evento", "event"),
    ("factura", "invoice"),
    ("facture", "invoice"),
    ("faellig", "due"),
    ("faelligkeit", "due"),
    ("fallig", "due"),
    ("falligkeit", "due"),
    ("fattura", "invoice"),
    ("fatura", "invoice"),
    ("fecha", "date"),
    ("fechahora", "timestamp"),
    ("fim", "end"),
    ("geaendert", "updated"),
    ("geandert", "updated"),
    ("geplant", "scheduled"),
    ("geraet", "device"),
    ("gerat", "device"),
    ("gesendet", "sent"),
    ("grund", "reason"),
    ("heure", "time"),
    ("hora", "time"),
    ("horario", "time"),
    ("horodatage", "timestamp"),
    ("idempotence", "idempotency"),
    ("idempotencia", "idempotency"),
    ("idempotenz", "idempotency"),
    ("idempotenza", "idempotency"),
    ("identifiant", "id"),
    ("identificador", "id"),
    ("identificativo", "id"),
    ("importe", "amount"),
    ("importo", "amount"),
    ("indirizzo", "address"),
    ("inicio", "start"),
    ("inizio", "start"),
    ("intencao", "intent"),
    ("intencion", "intent"),
    ("intento", "attempt"),
    ("intentos", "attempt"),
    ("inviato", "sent"),
    ("kennung", "id"),
    ("kommentar", "comment"),
    ("konto", "account"),
    ("korrelation", "correlation"),
    ("kunde", "customer"),
    ("libelle", "remittance"),
    ("lieferung", "delivery"),
    ("livraison", "delivery"),
    ("llave", "key"),
    ("menge", "quantity"),
    ("mensagem", "message"),
    ("mensaje", "message"),
    ("messaggio", "message"),
    ("modifie", "updated"),
    ("moeda", "currency"),
    ("moneda", "currency"),
    ("montant", "amount"),
    ("montante", "amount"),
    ("monto", "amount"),
    ("motivo", "reason"),
    ("nachricht", "message"),
    ("nombre", "name"),
    ("nome", "name"),
    ("notiz", "note"),
    ("numero", "number"),
    ("nummer", "number"),
    ("nutzer", "user"),
    ("observacao", "note"),
    ("observacion", "note"),
    ("observaciones", "note"),
    ("observacoes", "note"),
    ("orden", "order"),
    ("ordine", "order"),
    ("originale", "original"),
    ("pagamento", "payment"),
    ("pago", "payment"),
    ("paiement", "payment"),
    ("pedido", "order"),
    ("peticion", "request"),
    ("prevu", "scheduled"),
    ("programada", "scheduled"),
    ("programado", "scheduled"),
    ("programmato", "scheduled"),
    ("quantidade", "quantity"),
    ("quantita", "quantity"),
    ("quantite", "quantity"),
    ("rastreamento", "trace"),
    ("rastreio", "trace"),
    ("rastro", "trace"),
    ("razon", "reason"),
    ("recebido", "received"),
    ("recebimento", "received"),
    ("rechnung", "invoice"),
    ("recibido", "received"),
    ("recu", "received"),
    ("reintento", "attempt"),
    ("reintentos", "attempt"),
    ("remarque", "note"),
    ("requete", "request"),
    ("requisicao", "request"),
    ("retentativa", "attempt"),
    ("retentativas", "attempt"),
    ("ricevuto", "received"),
    ("richiesta", "request"),
    ("scadenza", "due"),
    ("schluessel", "key"),
    ("schlussel", "key"),
    ("signatur", "signature"),
    ("solicitacao", "request"),
    ("solicitud", "request"),
    ("stato", "status"),
    ("statut", "status"),
    ("tentativa", "attempt"),
    ("tentativas", "attempt"),
    ("tentative", "attempt"),
    ("tentatives", "attempt"),
    ("tentativi", "attempt"),
    ("tentativo", "attempt"),
    ("tipo", "type"),
    ("titel", "title"),
    ("titolo", "title"),
    ("titre", "title"),
    ("titulo", "title"),
    ("transferencia", "transfer"),
    ("traza", "trace"),
    ("uberweisung", "transfer"),
    ("ueberweisung", "transfer"),
    ("uhrzeit", "time"),
    ("unterschrift", "signature"),
    ("urspruengliche", "original"),
    ("ursprung", "original"),
    ("usuario", "user"),
    ("utente", "user"),
    ("utilisateur", "user"),
    ("valor", "amount"),
    ("valuta", "currency"),
    ("vencimento", "due"),
    ("vencimiento", "due"),
    ("versendet", "sent"),
    ("versuch", "attempt"),
    ("versuche", "attempt"),
    ("verwendungszweck", "remittance"),
    ("virement", "transfer"),
    ("waehrung", "currency"),
    ("wahrung", "currency"),
    ("wiederholung", "attempt"),
    ("zaehler", "count"),
    ("zahler", "count"),
    ("zahlung", "payment"),
    ("zeit", "time"),
    ("zeitstempel", "timestamp"),
];

/// Words that say something else in English, unless another word of the name is of another language.
const BESIDE_OTHERS: &[(&str, &str)] = &[("am", "at"), ("data", "date"), ("en", "at"), ("fin", "end")];

/// Words that mean nothing by themselves: `data de criacao`, `numero da tentativa`.
const PARTICLES: &[&str] = &["de", "da", "do", "del", "della", "di", "des", "du", "der"];

/// Words that say what kind a field is, which stand before the thing: `id_requisicao`.
const KINDS_BEFORE: &[&str] = &["id", "number", "key", "date", "time", "count", "uuid"];

/// The words in English, in English order. Where none is of another language they stay as they are.
pub(super) fn in_english(words: Vec<String>) -> Vec<String> {
    let translated: Vec<(String, bool)> = words
        .into_iter()
        .map(|word| match english(&word) {
            Some(english) => (String::from(english), true),
            None => (word, false),
        })
        .collect();
    let is_foreign = translated.iter().any(|word| word.1);
    let is_word = |word: &String| !is_foreign || !PARTICLES.contains(&word.as_str());
    let settled = |word: String| match BESIDE_OTHERS.iter().find(|known| is_foreign && known.0 == word) {
        Some((_, english)) => String::from(*english),
        None => word,
    };
    let mut words: Vec<String> = translated.into_iter().map(|word| settled(word.0)).filter(is_word).collect();
    let kind_is_first = words.first().is_some_and(|first| KINDS_BEFORE.contains(&first.as_str()));
    let ends_with_one = words.last().is_some_and(|last| KINDS_BEFORE.contains(&last.as_str()));
    if is_foreign && kind_is_first && !ends_with_one {
        words.rotate_left(1);
    }
    words
}

fn english(word: &str) -> Option<&'static str> {
    let plain: String = word.nfd().filter(|character| !is_combining_mark(*character)).collect();
    let plain = plain.replace('\u{df}', "ss");
    let at = WORDS.binary_search_by(|known| known.0.cmp(&plain)).ok()?;
    WORDS.get(at).map(|known| known.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_each_is_one() {
        assert!(WORDS.is_sorted_by(|one, other| one.0 < other.0));
    }

    #[test]
    fn names_of_other_languages_are_read_as_english_ones() {
        let words = super::super::names::words;
        for (name, english) in [
            ("id_requisicao", "request id"),
            ("idRequisi\u{e7}\u{e3}o", "request id"),
            ("solicitud-id", "request id"),
            ("numeroDaTentativa", "attempt number"),
            ("N\u{fa}mero_de_intento", "attempt number"),
            ("erstellt_am", "created at"),
            ("dataDaCria\u{e7}\u{e3}o", "created date"),
            ("data_vencimento", "due date"),
            ("zeitstempel", "timestamp"),
            ("fecha_creacion", "created date"),
            ("criado_em", "created at"),
            ("Verwendungszweck", "remittance"),
            ("request_id", "request id"),
            ("data", "data"),
        ] {
            assert_eq!(words(name).join(" "), english, "{name}");
        }
    }
}
