import type { ComponentChildren } from 'preact';
import { counted } from '../counted.ts';
import type { Texts } from '../texts.ts';

const job = counted('pt-PT', 'oferta', 'ofertas');
const request = counted('pt-PT', 'pedido', 'pedidos');

export const overview: Texts['overview'] = {
  title: 'Resumo',
  noCredential: (link) => [
    'Ainda não tem nenhuma credencial válida. Emita uma para o ambiente de testes em ',
    link('credenciais'),
    ' e experimente a API.',
  ],
  plan: 'Plano',
  withoutProduction: (plan: string) => `${plan} (não inclui produção)`,
  access: 'Acesso',
  complimentary: 'Cortesia',
  subscription: 'Subscrição',
  postedUnlimited: (used: number) => `${job(used)}, sem limite`,
  usedSinceReset: (used: number, limit: number, left: number) =>
    `${used} de ${limit} ofertas usadas desde a última reposição, restam ${left}`,
  used: (used: number, limit: number, left: number) => `${used} de ${limit} ofertas usadas, restam ${left}`,
  period: (start: ComponentChildren, end: ComponentChildren) => [', de ', start, ' a ', end],
  advice: {
    suspended: 'A sua empresa está suspensa. Contacte o administrador.',
    unverified: 'Primeiro, um administrador tem de verificar a sua empresa.',
    plan: 'A produção exige um plano que a inclua, ou acesso de cortesia. Contacte o administrador.',
    approval: 'Um administrador tem de aprovar a sua empresa para produção.',
  },
  requestsLastHour: (total: number, refused: number) =>
    `${request(total)} na última hora, ${refused} ${refused === 1 ? 'recusado' : 'recusados'}`,
  noRequestsLastHour: 'Sem pedidos na última hora',
  postings: 'Ofertas publicadas no período',
  postingsSummary: (posted) => `${job(posted)} desde o início do período.`,
  posted: 'Publicadas até então',
  noPostings: 'Ainda não foram publicadas ofertas neste período.',
  noJobs: 'Ainda não há ofertas em produção.',
  byStatus: 'Ofertas por estado',
  byStatusSummary: (total) => `${job(total)} no total.`,
  jobs: 'Ofertas',
};

export const companyCredentials: Texts['companyCredentials'] = {
  title: 'Credenciais',
  issue: 'Emitir uma credencial',
  onlyMain: 'Só a conta principal da empresa pode emitir e revogar credenciais.',
  valid: 'Válidas',
  noValid: 'Não há credenciais válidas. Um programa precisa de uma para usar a API.',
  expiring: 'Estas credenciais expiram nos próximos 14 dias. Substitua as que ainda usa:',
  replaceNamed: (label: string, lastFour: string) => `Substituir ${label} …${lastFour}`,
  label: 'Nome',
  labelHint: 'O que a vai usar, por exemplo: sítio web',
  environmentHint: 'Uma credencial de produção funciona assim que a sua empresa tiver acesso à produção.',
  days: 'Dias até expirar',
  yourPassword: 'A sua palavra-passe',
  issueButton: 'Emitir',
  alreadySubmitted: 'Este formulário já foi enviado. Um segredo só é mostrado uma vez.',
  cancel: 'Cancelar e voltar às credenciais',
  replaceTitle: 'Substituir uma credencial',
  replaceHeading: (label: string) => `Substituir ${label}`,
  replaceExplanation: (environment, access, secret, expires) => [
    `Cria uma credencial com o mesmo acesso (${environment}, ${access}) para substituir `,
    secret,
    ', que expira em ',
    expires,
    '. Enquanto ambas funcionarem, ambas contam para o limite de cinco.',
  ],
  overlap: 'Quanto tempo a antiga ainda funciona',
  overlapHint: 'Reserve tempo suficiente para atualizar todas as integrações.',
  overlaps: { 0: 'Nenhum, termina já', 1: '1 hora', 24: '1 dia', 168: '7 dias', 336: '14 dias', 720: '30 dias' },
  newDays: 'Dias até a nova expirar',
  replaceButton: 'Substituir',
  oldEnded: 'A credencial antiga já não funciona.',
  oldWorksUntil: (at: ComponentChildren) => ['A credencial antiga funciona até ', at],
  endedReplace: (label: string) => `${label} já não funciona. Emita uma nova credencial.`,
  ended: (label: string) => `${label} já não funciona.`,
  revokeTitle: 'Revogar uma credencial',
  revokeHeading: (label: string) => `Revogar ${label}?`,
  revokeExplanation: (secret, environment, access) => [
    secret,
    ` (${environment}, ${access}) deixa de funcionar já no próximo pedido, por REST e por MCP. Não é possível anular.`,
  ],
  revoked: 'A credencial foi revogada.',
  newTitle: 'Nova credencial',
  copyNow: 'Copie o segredo agora. Só é mostrado uma vez.',
  secret: 'Segredo',
  validUntil: (environment, at) => [`Válida no ambiente: ${environment}, até `, at, '.'],
  tryRest: 'Experimentar com REST',
  connectMcp: 'Ligar um agente de IA com MCP',
  back: 'Voltar às credenciais',
};

export const companyJobs: Texts['companyJobs'] = {
  title: 'Ofertas de emprego',
  total: (total: number) => (total === 1 ? '1 oferta.' : `${job(total)}, das mais recentes para as mais antigas.`),
  found: (total) => `${job(total)} na pesquisa.`,
  label: (environment: string) => `Ofertas: ${environment}`,
  empty: (environment: string) =>
    `Ainda não há ofertas (${environment}). Crie uma através da API com uma credencial de leitura e escrita.`,
  noneOf: (status: string, environment: string) => `Não há ofertas ${status} (${environment}).`,
  denied: (reason: string) => `Recusada: ${reason} Atualize a oferta através da API para a submeter novamente.`,
  back: (environment: string) => `Voltar às ofertas (${environment})`,
};

export const requests: Texts['requests'] = {
  title: 'Pedidos',
  introduction: (days: number) => `Pedidos dos últimos ${days} dias. O conteúdo dos pedidos não é guardado.`,
  label: (environment: string) => `Pedidos: ${environment}`,
  noMore: 'Não há mais pedidos.',
  noneFound: 'Nenhum pedido encontrado. Altere o filtro ou veja no outro ambiente.',
  none: (environment, days, link) => [
    `Sem pedidos (${environment}) nos últimos ${days} dias. Emita uma credencial em `,
    link('credenciais'),
    ' e envie um pedido com ela. Aparece aqui cerca de um segundo depois.',
  ],
  older: 'Pedidos mais antigos',
  newer: 'Pedidos mais recentes',
  perDay: 'Pedidos por dia',
  perDaySummary: (total, refused, failed) =>
    `${request(total)} nos últimos sete dias: ${refused} recusados, ${failed} falhados.`,
  perDayLimit: (limit) => `De um dia com mais de ${limit} pedidos contam os últimos ${limit}.`,
  succeeded: 'Com êxito (2xx, 3xx)',
  refused: 'Recusados (4xx)',
  failed: 'Falhados (5xx, sem resposta)',
  latencyPerDay: 'Latência por dia, em ms',
  latencySummary: (slowest) => `No dia mais lento, 95% dos pedidos demoraram no máximo ${slowest} ms.`,
  median: 'Metade dos pedidos até',
  slow: '95% dos pedidos até',

  columns: {
    time: 'Data e hora',
    operation: 'Operação',
    protocol: 'Protocolo',
    status: 'Estado',
    latency: 'Latência',
    credential: 'Credencial',
    requestId: 'ID do pedido',
  },
  trace: (id: string) => ` rastreio ${id}`,
  noAnswer: (status: number) => `${status}, sem resposta`,
  noOperation: 'Nenhuma',
  statusHint: '404 ou 4xx',
};

export const sandbox: Texts['sandbox'] = {
  title: 'Ambiente de testes',
  reset: 'Repor',
  resetExplanation:
    'Elimina todas as ofertas e chaves de idempotência do ambiente de testes. Não é possível anular. As credenciais e a produção não são afetadas.',
  resetButton: 'Repor o ambiente de testes',
  onlyMain: 'Só a conta principal da empresa pode repor o ambiente de testes.',
  wrongWord: (word: string) => `Escreva ${word} em maiúsculas para repor o ambiente de testes.`,
  done: (jobs: number, keys: number) =>
    `O ambiente de testes foi reposto. Ofertas eliminadas: ${jobs}, chaves de idempotência: ${keys}.`,
  usage: (used: number, capacity: number, left: number) =>
    `${used} de ${capacity} ofertas usadas desde a última reposição, restam ${left}.`,
  full: 'O ambiente de testes está cheio. As ofertas novas são recusadas até o repor.',
};

export const activity: Texts['activity'] = {
  title: 'Atividade',
  none: 'Sem atividade. As alterações às credenciais, ao ambiente de testes e ao acesso da empresa aparecem aqui.',
  older: 'Atividade mais antiga',
  newer: 'Atividade mais recente',
};
