import type { ApiError, ErrorCode } from '../../../domain/errors.ts';
import { filled } from '../../../domain/message.ts';
import type { Texts } from '../texts.ts';

/** What is wrong with a field has its text in `rules`. */
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
  not_allowed: 'Não pode fazer isto.',
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

/** What a field must be, by its English text. */
const rules: Readonly<Record<string, string>> = {
  'must be given': 'Preencha este campo.',
  'must not be blank': 'Preencha este campo.',
  'must be at most {{max}} characters': 'Escreva no máximo {{max}} caracteres.',
  'must be {{min}} to {{max}} characters': 'Escreva entre {{min}} e {{max}} caracteres.',
  'must be one line of plain text': 'Escreva uma só linha de texto simples.',
  'must be well-formed text': 'O texto contém caracteres inválidos.',
  'must be a whole number': 'Escreva um número inteiro.',
  'must be at least {{min}}': 'Escreva um número a partir de {{min}}.',
  'must be at most {{max}}': 'Escreva um número até {{max}}.',
  'must be an ID, a whole number from 1': 'Escreva um identificador: um número inteiro a partir de 1.',
  'must be IDs, whole numbers from 1': 'Escreva identificadores: números inteiros a partir de 1.',
  'must be yes or no': 'Escolha sim ou não.',
  'must be one of {{values}}': 'Escolha um destes valores: {{values}}.',
  'must be a day, YYYY-MM-DD': 'Escreva uma data válida, no formato AAAA-MM-DD.',
  'must not be after today, {{today}}': 'A data não pode ser posterior a hoje, {{today}}.',
  'must not be before today, {{today}}': 'A data não pode ser anterior a hoje, {{today}}.',
  'must not be before the first day': 'A data não pode ser anterior ao primeiro dia.',
  'must be an e-mail address': 'Escreva um endereço de e-mail válido.',
  'must contain a letter from A to Z': 'Escreva um nome com alguma letra de A a Z.',
  'must be given for a new plan': 'Um plano novo precisa deste valor.',
  'must be a status such as 404, or a class such as 4xx': 'Escreva um estado, como 404, ou uma classe, como 4xx.',
};

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
  crossSite: 'Este formulário foi enviado a partir de outro sítio.',
  mainAccount: {
    issue: 'Só a conta principal da empresa pode emitir credenciais.',
    replace: 'Só a conta principal da empresa pode substituir credenciais.',
    revoke: 'Só a conta principal da empresa pode revogar credenciais.',
    reset: 'Só a conta principal da empresa pode repor o ambiente de testes.',
  },
  messageOf: (error: ApiError) => {
    const [wrong] = Object.values(error.fields ?? {});
    return wrong
      ? filled({ ...wrong, text: rules[wrong.text] ?? wrong.text })
      : (messages[error.code] ?? error.message);
  },
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
