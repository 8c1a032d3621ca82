/** The API's English descriptions of attributes lead to the German ones. A test holds them against the schemas of the API. */
export const HINTS: Readonly<Record<string, string>> = {
  'Unique among its siblings, without / _ ; { } and control characters.':
    'Einmalig unter seinen Geschwistern, ohne / _ ; { } und Steuerzeichen.',
  'Own reference, unique in the account.': 'Eigene Kennung, einmalig im Konto.',
  'Id or `@customId` of an attachment.': 'Kennung oder `@eigene Kennung` einer Datei.',
  'Must be an http or https address.': 'Eine Adresse mit http oder https.',
  'Node of a template: attributes that instances may have of their own.':
    'Knoten einer Vorlage: Attribute, die Instanzen anders haben dürfen.',
  'Id or `@customId` of a data source.': 'Kennung oder `@eigene Kennung` einer Datenquelle.',
  'Location: number parameters of its coordinate source, by series or name.':
    'Zahlen der Quelle der Koordinaten, nach Reihe oder Name.',
  'Id or `@customId` of an attachment source.': 'Kennung oder `@eigene Kennung` einer Quelle von Dateien.',
  'Must be a colour such as #1f77b4.': 'Eine Farbe wie #1f77b4.',
  'By alarm type: `config` may be set, `status` is read-only.':
    'Nach Arten von Alarmen. Was gerade ist, steht bei den Alarmen.',
  'Without data for as long, the source is outdated.': 'So lange ohne Daten, und die Quelle gilt als veraltet.',
  'How files of delimited text are read. Null: as the file says itself.':
    'Wie Textdateien gelesen werden. Ohne Angabe: wie es in der Datei selbst steht.',
  'How data comes to the source. Secrets are written, never read back: `********` stands for one that is set.':
    'Wie Daten zur Quelle kommen. Geheimnisse werden gesetzt und nie wieder gezeigt: `********` steht für ein gesetztes.',
  'Must be a host name or an address.': 'Der Name eines Rechners oder seine Adresse.',
  'Must be SHA256: and the fingerprint of a key, as ssh-keygen -l shows it.':
    'SHA256: und der Fingerabdruck eines Schlüssels, wie ssh-keygen -l ihn zeigt.',
  'Must be the name of a header.': 'Der Name einer Kopfzeile.',
  'Must be an e-mail address or @ and a domain.': 'Eine E-Mail-Adresse, oder @ und eine Domain.',
  'Must be a device key: 15 digits (IMEI) or 12 digits.': 'Ein Geräteschlüssel: 15 Ziffern (IMEI) oder 12 Ziffern.',
  'Must be a text with {field}, and with names of tags in braces, such as {site}/{sensor}/{field}.':
    'Ein Text mit {field} und mit Namen von Tags in Klammern, wie {site}/{sensor}/{field}.',
  'Must be 16 hexadecimal digits.': '16 hexadezimale Ziffern.',
  'Must be the extension of a file name such as jpg.': 'Die Endung eines Dateinamens, wie jpg.',
  'Charts, dashboards, attachments, parameters and reports. Who has the link may see it without signing in. Gives a `publicId`, which is in the link.':
    'Wer den Link hat, sieht es ohne Anmeldung.',
  'Value = raw value × multiplier + offset.': 'Wert = Rohwert × Faktor + Summand.',
  'Expression of x, the raw value, in place of multiplier and offset: + - * / ^ ( ) and abs sqrt exp ln log10 sin cos tan min max pow.':
    'Rechnung mit x, dem Rohwert, statt Faktor und Summand: + - * / ^ ( ) und abs sqrt exp ln log10 sin cos tan min max pow.',
  'Values are degrees: between two of them is the shorter way round.':
    'Die Werte sind Grade: zwischen zweien zählt der kürzere Weg.',
  'Key that writes to the data source match.': 'Unter diesem Schlüssel kommen Daten bei der Quelle an.',
  'How a parameter is drawn.': 'Wie der Parameter gezeichnet wird.',
  'States of parameters. With `_id`s: these states change. Without any: the list replaces all. Null restores the defaults.':
    'Zustände des Parameters, vom niedrigsten an. Ohne Angabe gelten die üblichen.',
  'Of a state that is to be changed.': 'Kennung des Zustands, der geändert wird.',
  'A text on text parameters; on Locations, whose states are read-only, an object.':
    'Ab diesem Wert gilt der Zustand; bei Texten ein Text.',
  'Control parameters: the value that waits to be sent, of the family of the parameter. To write it asks for the operation; null takes it back.':
    'Der Wert, der an das Gerät geht. Solange er nicht gesendet ist, kann er zurückgenommen werden.',
  'Id or `@customId` of a Number parameter.': 'Kennung oder `@eigene Kennung` einer Zahl.',
  'Id or `@customId` of a parameter.': 'Kennung oder `@eigene Kennung` eines Parameters.',
  'Id or `@customId` of a node.': 'Kennung oder `@eigene Kennung` eines Knotens.',
  'Must have letters, digits and _ only.': 'Nur Buchstaben, Ziffern und _.',
  'Must be a time such as 06:30.': 'Eine Uhrzeit wie 06:30.',
};
