import type { ComponentChildren } from 'preact';
import type { Texts } from '../texts.ts';

export const layout: Texts['layout'] = {
  skip: 'Saltar para o conteúdo',
  title: (page: string, portal: string) => `${page} · Vaga ${portal}`,
  pages: 'Páginas',
  site: 'Sítio',
  yourAccount: 'A sua conta: ',
  signOut: 'Terminar sessão',
  apiReference: 'Referência da API',
  companyDashboard: 'Painel da empresa',
  copy: 'Copiar',
  copied: 'Copiado',
  selected: 'Selecionado. Copie com o teclado.',
};

export const portals: Texts['portals'] = {
  company: {
    heading: 'Painel da empresa',
    signIn: 'Iniciar sessão no painel da empresa',
    back: 'Voltar ao painel da empresa',
    description: (page: string) =>
      `${page}: parte do painel onde uma empresa gere as suas credenciais, ofertas de emprego e ambiente de testes na Vaga.`,
    links: {
      overview: 'Resumo',
      credentials: 'Credenciais',
      jobs: 'Ofertas',
      requests: 'Pedidos',
      sandbox: 'Ambiente de testes',
      activity: 'Atividade',
    },
  },
  administrator: {
    heading: 'Administração',
    signIn: 'Iniciar sessão na administração',
    back: 'Voltar à administração',
    description: (page: string) =>
      `${page}: parte da administração, onde os administradores reveem ofertas de emprego e gerem empresas na Vaga.`,
    links: {
      overview: 'Resumo',
      review: 'Revisão',
      companies: 'Empresas',
      plans: 'Planos',
      categories: 'Categorias',
      audit: 'Registo de auditoria',
    },
  },
};

export const environments: Texts['environments'] = {
  production: { name: 'Produção', inside: 'em produção', lower: 'produção' },
  sandbox: { name: 'Ambiente de testes', inside: 'no ambiente de testes', lower: 'ambiente de testes' },
};

export const statuses: Texts['statuses'] = {
  pending: { name: 'Pendente', several: 'pendentes' },
  active: { name: 'Ativa', several: 'ativas' },
  inactive: { name: 'Inativa', several: 'inativas' },
  expired: { name: 'Expirada', several: 'expiradas' },
  denied: { name: 'Recusada', several: 'recusadas' },
};

export const words: Texts['words'] = {
  yes: 'Sim',
  no: 'Não',
  none: 'Nenhum',
  unlimited: 'Sem limite',
  openEnded: 'Sem data de fim',
  unlimitedHint: (value: number) => `${value} significa sem limite.`,
  environment: 'Ambiente',
  status: 'Estado',
  account: (id: string) => `Conta ${id}`,
  administrator: 'Administrador',
  credential: (id: string) => `Credencial ${id}`,
  company: (id: string) => `Empresa ${id}`,
  administratorNamed: (id: string) => `Administrador ${id}`,
  operator: 'operador',
};

export const access: Texts['access'] = {
  open: 'Aberto',
  closed: (reasons: string) => `Fechado: ${reasons}`,
  blockers: {
    suspended: 'Empresa suspensa',
    unverified: 'Empresa por verificar',
    plan: 'Plano sem acesso',
    approval: 'À espera de aprovação',
  },
};

export const signIn: Texts['signIn'] = {
  title: 'Iniciar sessão',
  ended: 'A sua sessão terminou, por isso nada foi alterado. Inicie sessão para voltar ao formulário.',
  email: 'Endereço de e-mail',
  password: 'Palavra-passe',
  failure:
    'Não foi possível iniciar sessão. Verifique o endereço de e-mail e a palavra-passe. Depois de várias tentativas falhadas, aguarde 15 minutos.',
};

export const account: Texts['account'] = {
  title: 'A sua conta',
  signedIn: (email: ComponentChildren) => [
    'Sessão iniciada como ',
    email,
    '. A sessão termina após 30 minutos sem atividade e, em qualquer caso, ao fim de 12 horas.',
  ],
  changePassword: 'Alterar a palavra-passe',
  currentPassword: 'Palavra-passe atual',
  newPassword: 'Nova palavra-passe',
  newPasswordHint: (charactersMin: number) =>
    `Pelo menos ${charactersMin} caracteres. Todas as suas outras sessões terminam.`,
  change: 'Alterar a palavra-passe',
  changed: 'A palavra-passe foi alterada. Todas as outras sessões terminaram.',
  signOutEverywhere: 'Terminar sessão em todos os dispositivos',
  signOutWhy:
    'Se perdeu um dispositivo ou se alguém pode saber a sua palavra-passe, termine todas as sessões, incluindo esta.',
};

export const lists: Texts['lists'] = {
  filter: 'Filtrar',
  search: 'Pesquisar',
  sort: 'Ordem',
  sorts: {
    newest: 'Mais recentes',
    oldest: 'Mais antigas',
    changed: 'Última alteração',
    title: 'Título',
    name: 'Nome',
    email: 'Endereço de e-mail',
    expiry: 'Fim da validade',
    limit: 'Ofertas por mês',
    usual: 'Ordem habitual',
  },
  searchHints: {
    jobs: (limit) => `Parte de um título, ou um ID. Pesquisa e ordena as últimas ${limit} ofertas.`,
    queue: (limit) =>
      `Parte de um título ou do nome de uma empresa. Pesquisa as primeiras ${limit} ofertas da ordem escolhida.`,
    companies: () => 'Parte de um nome, um ID ou um endereço de e-mail.',
    credentials: () => 'Parte de um nome, ou os últimos quatro caracteres.',
    people: () => 'Parte de um endereço de e-mail.',
    plans: () => 'Parte de um nome.',
    categories: () => 'Parte de um nome.',
    requests: () => 'Um ID de pedido ou de rastreio completo.',
    audit: (limit) =>
      `Parte de um detalhe, como um motivo. Pesquisa os primeiros ${limit} registos da ordem escolhida.`,
  },
  noneFound: 'Nada encontrado. Altere a pesquisa.',
  previous: 'Página anterior',
  next: 'Página seguinte',
  pagination: 'Paginação',
  page: (page: number, last: number) => `Página ${page} de ${last}`,
  /** The first option of a filter. */
  any: {
    status: 'Todos',
    operation: 'Todas',
    credential: 'Todas',
    protocol: 'Ambos',
    state: 'Todos',
    plan: 'Todos',
    actor: 'Todos',
    action: 'Todas',
  },
};

export const charts: Texts['charts'] = {
  table: (title) => `${title}, em tabela`,
  day: 'Dia',
};

export const forms: Texts['forms'] = {
  fieldsMarked: 'Nada foi alterado. Veja abaixo os campos assinalados.',
  choose: 'Escolha uma das opções.',
  wrongPassword: 'Esta não é a sua palavra-passe.',
  throttledPassword: 'Demasiadas palavras-passe erradas. Aguarde 15 minutos.',
  type: (word: string) => `Escreva ${word}`,
};

export const credentials: Texts['credentials'] = {
  access: { read: 'Leitura', write: 'Leitura e escrita' },
  accessLower: { read: 'leitura', write: 'leitura e escrita' },
  states: { valid: 'Válida', expiring: 'Expira em breve', expired: 'Expirada', revoked: 'Revogada' },
  columns: {
    credential: 'Credencial',
    access: 'Acesso',
    created: 'Criada em',
    expires: 'Expira em',
    lastUsed: 'Última utilização',
    state: 'Estado',
  },
  never: 'Nunca',
  validLabel: 'Credenciais válidas',
  endedLabel: 'Credenciais expiradas e revogadas',
  ended: 'Expiradas e revogadas',
  revoke: 'Revogar',
  replace: 'Substituir',
};
