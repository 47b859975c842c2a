// What is refused, in Portuguese; in English the package says it itself.

import type { Code, Refusal } from "intentkey";
import { language } from "./preferences";

/** `policy_invalid` is not here: what the package says of it is different at every place. */
const PORTUGUESE: Partial<Record<Code, string>> = {
  policy_missing_for_epoch: "nenhuma política vale na época da intenção",
  keyring_invalid: "o chaveiro de segredos não serve",
  secret_weak: "o segredo é fraco",
  json_malformed: "o texto não é JSON bem-formado: envie um único valor JSON, em UTF-8, e nada depois dele",
  payload_too_large: "o conteúdo passa dos limites de tamanho",
  payload_too_deep: "fora dos caminhos ignorados um conteúdo tem no máximo 64 níveis: achate-o, ou classifique a parte funda como ignorada",
  intent_invalid: "um membro da intenção falta, repete-se ou é desconhecido",
  payload_not_object: "o conteúdo tem de ser um objeto",
  tenant_empty: "o tenant não pode ser vazio: ele separa as chaves de clientes diferentes",
  tenant_not_held: "o chaveiro não tem o segredo deste tenant",
  action_unknown: "a ação não está na lista de ações da política, que é comparada exatamente",
  epoch_invalid: "a época é um número inteiro de segundos, a partir de 0",
  epoch_in_milliseconds: "a época é em segundos, e esta é grande demais: divida os milissegundos por 1000",
  field_duplicate: "um nome ocorre duas vezes no mesmo objeto, e leitores discordam de qual vale: envie-o uma vez",
  text_not_unicode: "um texto ou nome contém um surrogate isolado, que não é texto Unicode: corrija onde ele nasce",
  field_unclassified: "a política não diz o que são estes campos: classifique cada um como identidade, conferido ou ignorado",
  field_missing: "falta um campo obrigatório: envie-o, ou torne-o opcional na política",
  field_null: "um campo é nulo: envie um valor, deixe-o fora, ou diga null = \"absent\" na política",
  field_type: "um campo tem um tipo que a sua regra não aceita",
  field_empty: "um campo está vazio: envie um valor, ou diga na política o que o vazio significa",
  number_unsafe: "leitores de JSON discordam deste número: envie-o como texto",
  decimal_malformed: "isto não é um número decimal",
  decimal_out_of_range: "o número tem dígitos demais",
  decimal_inexact: "o número perderia dígitos, e a regra não arredonda",
  currency_unknown: "a moeda não está na lista ISO 4217, ou não tem unidade menor",
  pix_key_unrecognized: "não é uma chave Pix: um CPF ou CNPJ com dígitos verificadores certos, um +telefone, um e-mail ou uma chave aleatória (UUID)",
  value_malformed: "o valor não tem a forma que a regra pede",
  value_not_listed: "o valor não está na lista da política",
  identity_empty: "nenhum campo de identidade tem valor: uma só chave serviria a todos estes pedidos",
  secret_missing_for_epoch: "nenhum segredo vale na época da intenção",
};

/** What a refusal says, and in which language that is. */
export function said({ code, message }: Refusal): { readonly message: string; readonly lang: string } {
  const portuguese = language.value === "pt" ? PORTUGUESE[code] : undefined;
  return portuguese === undefined ? { message, lang: "en" } : { message: portuguese, lang: "pt-BR" };
}

/** The field or the fields that a refusal names. */
export function fieldOf({ field, fields }: Refusal): string | undefined {
  return field ?? fields?.join(", ");
}

/** A refusal in a line: where it has one, with its field. */
export function line(refusal: Refusal): string {
  const field = fieldOf(refusal);
  return `${refusal.code}${field === undefined ? "" : ` (${field})`}: ${said(refusal).message}`;
}
