const en = {
  title: "Leave with a policy of your own",
  lead: "A link carries the policy and both payloads in its fragment, which browsers send to no server, and never a secret.",
  link: "Copy link",
  copied: "Copied.",
  tooLarge: "Too much for a link: save the files instead.",
  shown: "The link is in the address bar.",
  address: "Link",
  files: "Files",
  save: "Save",
  command: "Derive on the command line",
  commandHint: "In the folder with policy.toml and intents.jsonl, after cargo install --path harness in a clone. The secret is this page’s demo secret.",
  program: "Derive in JavaScript",
  programHint: "derive.mjs, beside policy.json and intents.jsonl.",
  copy: "Copy",
  refused: "This link holds nothing that the playground can read, so it shows what it begins with.",
  close: "Close",
};

const pt: typeof en = {
  title: "Leve uma política sua",
  lead: "Um link leva a política e os dois conteúdos no fragmento, que o navegador não envia a nenhum servidor, e nunca um segredo.",
  link: "Copiar link",
  copied: "Copiado.",
  tooLarge: "É demais para um link: salve os arquivos.",
  shown: "O link está na barra de endereço.",
  address: "Link",
  files: "Arquivos",
  save: "Salvar",
  command: "Derive na linha de comando",
  commandHint: "Na pasta com policy.toml e intents.jsonl, depois de cargo install --path harness em um clone. O segredo é o de demonstração desta página.",
  program: "Derive em JavaScript",
  programHint: "derive.mjs, ao lado de policy.json e intents.jsonl.",
  copy: "Copiar",
  refused: "Este link não contém nada que a página consiga ler; ela mostra aquilo com que começa.",
  close: "Fechar",
};

export const WORDS = { en, pt };
