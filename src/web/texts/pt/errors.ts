import type { ApiError, ErrorCode } from '../../../domain/errors.ts';
import type { InputRule } from '../../../domain/input-rule.ts';
import type { Texts } from '../texts.ts';

/** Of refusals that carry an input rule, see `ruleText`. */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  https: 'É necessário HTTPS.',
  malformed_request: 'O formulário está incompleto ou contém carateres inválidos.',
  path: 'Não existe nada neste endereço.',
  job: 'Esta oferta não existe.',
  body_size: 'O formulário é demasiado grande.',
  content_encoding: 'O formulário tem de ser enviado sem compressão e em UTF-8.',
  address: 'Demasiados pedidos a partir do seu endereço. Aguarde um momento e tente novamente.',
  company: 'Demasiados pedidos da sua empresa. Aguarde um momento e tente novamente.',
  database: 'O serviço está temporariamente indisponível. Tente novamente.',
  maintenance: 'O serviço está em manutenção. Tente novamente mais tarde.',
  draining: 'O serviço está a reiniciar. Tente novamente.',
  overload: 'Estão abertas demasiadas páginas em simultâneo. Tente novamente.',
  internal: 'Ocorreu um erro do nosso lado. O identificador do pedido ajuda-nos a encontrá-lo.',
  unknown_company: 'Esta empresa não existe.',
  unknown_plan: 'Não existe nenhum plano com este nome.',
  unknown_category: 'Esta categoria não existe.',
  unknown_district: 'Esta região não existe.',
  unknown_credential: 'Esta credencial não existe.',
  unknown_job: 'Esta oferta não existe.',
  unknown_account: 'Não existe nenhuma conta com este endereço de e-mail.',
  email_taken: 'Já existe uma conta com este endereço de e-mail.',
  main_account_exists: 'A empresa já tem uma conta principal.',
  password_changed: 'Entretanto, a palavra-passe foi alterada.',
  credential_limit: 'Uma empresa tem no máximo cinco credenciais válidas por ambiente.',
  credential_ended: 'Esta credencial já não funciona. Emita uma nova.',
  sandbox_job: 'As ofertas do ambiente de testes ficam pendentes: ninguém as revê.',
  several_jobs: 'Várias empresas têm uma oferta com este número.',
  not_pending: 'A oferta já não está pendente.',
  job_changed: 'A oferta foi alterada depois de ter sido lida. Leia-a novamente.',
  invalid_input: 'Não foi indicada nenhuma alteração.',
};

const rules: { readonly [Kind in InputRule['kind']]: (rule: Extract<InputRule, { kind: Kind }>) => string } = {
  not_blank: () => 'Preencha este campo.',
  characters_max: ({ max }) => `Escreva no máximo ${max} caracteres.`,
  characters: ({ min, max }) => `Escreva entre ${min} e ${max} caracteres.`,
  plain_line: () => 'Escreva uma só linha de texto simples.',
  well_formed: () => 'O texto contém caracteres inválidos.',
  whole_number: ({ min, max }) => `Escreva um número inteiro entre ${min} e ${max}.`,
  day: () => 'Escreva uma data válida, no formato AAAA-MM-DD.',
  not_after: ({ day }) => `A data não pode ser posterior a hoje, ${day}.`,
  not_before: ({ day }) => `A data não pode ser anterior a hoje, ${day}.`,
  not_before_first: () => 'A data não pode ser anterior ao primeiro dia.',
  email: () => 'Escreva um endereço de e-mail válido.',
  needed_for_new_plan: () => 'Um plano novo precisa deste valor.',
  status_or_class: () => 'Escreva um estado, como 404, ou uma classe, como 4xx.',
};

function ruleText<Kind extends InputRule['kind']>(rule: Extract<InputRule, { kind: Kind }>): string {
  const text: (of: typeof rule) => string = rules[rule.kind as Kind];
  return text(rule);
}

export const errors: Texts['errors'] = {
  titles: {
    400: 'Pedido inválido',
    403: 'Sem permissão',
    404: 'Não encontrado',
    413: 'Demasiado grande',
    415: 'Formulário inválido',
    429: 'Demasiados pedidos',
    500: 'Ocorreu um erro',
    503: 'Indisponível',
  },
  refused: 'Recusado',
  request: 'Pedido',
  outOfDate: 'Este formulário está desatualizado. Volte atrás, recarregue a página e envie-o novamente.',
  earlierSession: 'Esse formulário era de uma sessão anterior, por isso nada foi alterado. Envie-o novamente.',
  crossSite: 'Este formulário foi enviado a partir de outro sítio.',
  mainAccount: {
    issue: 'Só a conta principal da empresa pode emitir credenciais.',
    replace: 'Só a conta principal da empresa pode substituir credenciais.',
    revoke: 'Só a conta principal da empresa pode revogar credenciais.',
    reset: 'Só a conta principal da empresa pode repor o ambiente de testes.',
  },
  messageOf: (error: ApiError) => (error.rule ? ruleText(error.rule) : (messages[error.code] ?? error.message)),
};

export const refusalReasons: Texts['refusalReasons'] = {
  https: 'Sem HTTPS',
  malformed_request: 'Pedido malformado',
  credential: 'Sem credencial válida',
  scope: 'Credencial só de leitura',
  plan: 'Plano não elegível',
  approval: 'Não aprovada para produção',
  quota: 'Quota esgotada',
  permission: 'Empresa ou região sem permissão',
  job: 'Oferta inexistente',
  path: 'Endereço inexistente',
  method: 'Método não permitido',
  idempotency_key: 'Chave de idempotência de outro pedido',
  job_removed: 'Oferta eliminada',
  changed: 'Oferta alterada depois de lida',
  body_size: 'Corpo demasiado grande',
  media_type: 'Não é JSON',
  content_encoding: 'Corpo comprimido',
  invalid_input: 'Campos inválidos',
  company: 'Limite de pedidos da empresa',
  address: 'Limite de pedidos do endereço de rede',
  simulated: 'Falha simulada',
  database: 'Base de dados indisponível',
  sanitizer: 'Textos não verificados a tempo',
  draining: 'Serviço a encerrar',
  maintenance: 'Manutenção',
  overload: 'Demasiados pedidos ao mesmo tempo',
  internal: 'Erro interno',
};
