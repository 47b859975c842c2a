const en = {
  title: "Write your own policy",
  lead: "A policy says of every field whether it makes the action what it is, must not change, or does not count. Start from a ready one and change it: the two producers above follow.",
  ready: "Start from",
  names: { pix: "Pix payment", order: "Order", agent: "Agent’s tool call", webhook: "Webhook" },
  format: "Format",
  editor: "Policy",
  holds: "The policy is valid.",
  digest: "Digest",
  digestHint: "Two producers compare it before money moves.",
  classes: {
    identity: "what the action is: in the key",
    checked: "must not change: only in the fingerprint",
    ignored: "belongs to the attempt: in neither",
  },
  titles: { identity: "identity", checked: "checked", ignored: "ignored" },
  bucket: "Bucket",
  edge: "Edge",
  always: "one for all time",
  line: (line: number) => `line ${line}`,
  none: "none",
};

const pt: typeof en = {
  title: "Escreva a sua política",
  lead: "Uma política diz de cada campo se ele faz da ação o que ela é, se não pode mudar, ou se não conta. Comece de uma pronta e mude-a: os dois produtores acima acompanham.",
  ready: "Comece de",
  names: { pix: "Pagamento Pix", order: "Pedido", agent: "Chamada de agente", webhook: "Webhook" },
  format: "Formato",
  editor: "Política",
  holds: "A política é válida.",
  digest: "Resumo",
  digestHint: "Dois produtores o comparam antes de o dinheiro andar.",
  classes: {
    identity: "o que a ação é: entra na chave",
    checked: "não pode mudar: só na impressão digital",
    ignored: "é da tentativa: em nenhuma das duas",
  },
  titles: { identity: "identidade", checked: "conferido", ignored: "ignorado" },
  bucket: "Janela",
  edge: "Borda",
  always: "uma para sempre",
  line: (line) => `linha ${line}`,
  none: "nenhum",
};

export const WORDS = { en, pt };
