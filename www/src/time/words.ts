// What the picture of time says.

const en = {
  lanes: {
    attempt: { title: "The key is born in the attempt", how: "each delivery reads the clock", code: "intentEpoch: now()" },
    frozen: { title: "The epoch is frozen with the intent", how: "each delivery carries the second of the decision", code: "intentEpoch: decidedAt" },
  },
  keys: (count: number) => (count === 1 ? "1 key" : `${count} keys`),
  charges: (count: number) => (count === 1 ? "charged once" : `charged ${count} times`),
  decided: "decided",
  story: (delay: string, bucket: string, crossings: number) =>
    `One payment, decided once and redelivered for ${delay}. It crosses ${crossings === 1 ? "one bucket" : `${crossings} buckets`} of ${bucket}.`,
  picture: (title: string, deliveries: number, keys: string, charges: string) =>
    `${title}: ${deliveries} deliveries of one payment, ${keys}, ${charges}.`,
  play: "Play",
  pause: "Pause",
  replay: "Play again",
  legend: { charge: "the destination sees a new key and charges", repeat: "a key it knows: answered as a repeat", bucket: "one colour, one key" },
  moral:
    "Equal payments within one bucket share a key, on purpose. Whoever reads the clock in the attempt slides into the next bucket, gets another key, and pays again. Whoever carries the decision’s second along stays in its bucket, whenever the attempt runs.",
  sliders: { delay: "Redelivered for", bucket: "Bucket", skew: "Clock skew of producer B", edge: "Edge protection" },
  two: {
    title: "Two producers, two clocks",
    lead: "Both decide the same payment at the same moment, but B’s clock is ahead. Near a bucket’s end they can land in different buckets. Edge protection gives each a second key there, which both share.",
    a: "A’s bucket",
    b: "B’s bucket",
    meet: "Together",
    end: "bucket ends",
    names: { same: "one key", edge: "the edge key joins them", split: "two keys: charged twice" },
    result: (split: number, joined: number, bucket: string) =>
      split > 0
        ? `In ${split} s of every ${bucket} the two have different keys, and the payment is charged twice.`
        : joined > 0
          ? `In ${joined} s of every ${bucket} only the edge key joins them. It is never charged twice.`
          : `The clocks agree: always one key.`,
    picture: "The seconds around a bucket’s end",
  },
  own: "Derived by the package in this page, for producer A’s payment under the policy below.",
  demo: "What is typed below has no key of its own now, so this shows the payment that the page began with.",
  use: "Put this bucket and edge into the policy",
  seconds: (seconds: number) => `${seconds} s`,
};

const pt: typeof en = {
  lanes: {
    attempt: { title: "A chave nasce na tentativa", how: "cada entrega lê o relógio", code: "intentEpoch: now()" },
    frozen: { title: "A época é congelada com a intenção", how: "cada entrega leva o segundo da decisão", code: "intentEpoch: decidedAt" },
  },
  keys: (count) => (count === 1 ? "1 chave" : `${count} chaves`),
  charges: (count) => (count === 1 ? "cobrado uma vez" : `cobrado ${count} vezes`),
  decided: "decidido",
  story: (delay, bucket, crossings) =>
    `Um pagamento, decidido uma vez e reentregue por ${delay}. Ele atravessa ${crossings === 1 ? "uma janela" : `${crossings} janelas`} de ${bucket}.`,
  picture: (title, deliveries, keys, charges) => `${title}: ${deliveries} entregas de um pagamento, ${keys}, ${charges}.`,
  play: "Reproduzir",
  pause: "Pausar",
  replay: "Reproduzir de novo",
  legend: { charge: "o destino vê uma chave nova e cobra", repeat: "chave conhecida: respondida como repetição", bucket: "uma cor, uma chave" },
  moral:
    "Pagamentos iguais dentro de uma janela têm a mesma chave, de propósito. Quem lê o relógio na tentativa cai na janela seguinte, obtém outra chave e paga de novo. Quem leva consigo o segundo da decisão fica na sua janela, seja qual for a hora da tentativa.",
  sliders: { delay: "Reentregue por", bucket: "Janela", skew: "Adianto do relógio do produtor B", edge: "Proteção de borda" },
  two: {
    title: "Dois produtores, dois relógios",
    lead: "Os dois decidem o mesmo pagamento no mesmo instante, mas o relógio de B está adiantado. Perto do fim de uma janela podem cair em janelas diferentes. A proteção de borda dá a cada um, ali, uma segunda chave, que os dois compartilham.",
    a: "Janela de A",
    b: "Janela de B",
    meet: "Juntos",
    end: "fim da janela",
    names: { same: "uma chave", edge: "unidos pela chave de borda", split: "duas chaves: cobra duas vezes" },
    result: (split, joined, bucket) =>
      split > 0
        ? `Em ${split} s de cada ${bucket} os dois têm chaves diferentes, e o pagamento é cobrado duas vezes.`
        : joined > 0
          ? `Em ${joined} s de cada ${bucket} só a chave de borda os une. Nunca se cobra duas vezes.`
          : `Os relógios concordam: sempre uma só chave.`,
    picture: "Os segundos em torno do fim de uma janela",
  },
  own: "Derivado pelo pacote nesta página, para o pagamento do produtor A sob a política abaixo.",
  demo: "O que está escrito abaixo não tem chave agora; isto mostra o pagamento com que a página começou.",
  use: "Levar esta janela e esta borda para a política",
  seconds: (seconds) => `${seconds} s`,
};

export const WORDS = { en, pt };

/** A length of time, in the unit that says it shortest. */
export function duration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
