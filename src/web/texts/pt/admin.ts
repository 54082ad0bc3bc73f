import type { ComponentChildren } from 'preact';
import { counted } from '../counted.ts';
import type { Texts } from '../texts.ts';

const job = counted('pt-PT', 'oferta', 'ofertas');
const request = counted('pt-PT', 'pedido', 'pedidos');
const company = counted('pt-PT', 'empresa', 'empresas');

export const waiting: Texts['waiting'] = {
  title: 'Resumo',
  heading: 'À sua espera',
  jobs: (count: number) => `${job(count)} por rever`,
  oldest: (at: ComponentChildren) => ['A mais antiga foi criada em ', at, '.'],
  noJobs: 'Não há ofertas à espera de revisão.',
  companies: (count: number) => `${company(count)} por aprovar`,
  companiesWait: 'Têm um plano elegível ou acesso de cortesia e só precisam da sua aprovação para produção.',
  byAge: 'Ofertas à espera, por idade',
  byAgeSummary: (older) => `${job(older)} à espera há mais de sete dias.`,
  age: 'Idade',
  ages: ['Até 1 dia', '1 a 3 dias', '3 a 7 dias', 'Mais de 7 dias'],
  waitingJobs: 'Ofertas',
  denials: 'Últimas ofertas recusadas por motivo',
  reason: 'Motivo',
  denied: 'Ofertas recusadas',
  denialsSummary: (denied) => `${denied === 1 ? '1 oferta recusada' : `${job(denied)} recusadas`} por estes motivos.`,
  noDenials: 'Não foram recusadas ofertas ultimamente.',
  refusals: 'Pedidos recusados por motivo',
  refused: 'Pedidos em sete dias',
  refusalsSummary: (refused) =>
    `${refused === 1 ? '1 pedido recusado' : `${request(refused)} recusados`} por estes motivos.`,
  refusalsLimit: (limit) => `De mais pedidos recusados contam os últimos ${limit}.`,
  noRefusals: 'Não foram recusados pedidos nos últimos sete dias.',
  noCompanies: 'Todas as empresas com um plano elegível ou acesso de cortesia estão aprovadas.',
};

export const review: Texts['review'] = {
  title: 'Fila de revisão',
  empty: 'Não há ofertas à espera de revisão. As novas ofertas de produção aparecem aqui.',
  total: (count, isOldestFirst) =>
    count === 1 || !isOldestFirst
      ? `${job(count)} à espera.`
      : `${job(count)} à espera, das mais antigas para as mais recentes.`,
  label: 'Ofertas à espera de revisão',
  columns: {
    job: 'Oferta',
    company: 'Empresa',
    category: 'Categoria',
    region: 'Região',
    lastDay: 'Último dia',
    created: 'Criada em',
  },
  noCategory: 'Nenhuma',
  noRegion: 'Nenhuma',
  keys: (key) => [
    'Teclado, com as teclas de acesso do navegador (normalmente Alt, ou Alt e Shift): ',
    key('N'),
    ' abre a primeira oferta, ',
    key('A'),
    ' aprova-a, ',
    key('R'),
    ' vai para o motivo da recusa, ',
    key('D'),
    ' recusa, ',
    key('Q'),
    ' volta à fila.',
  ],
  back: 'Voltar à fila de revisão',
  decision: 'Decisão',
  approve: 'Aprovar e publicar',
  approved: 'A oferta foi aprovada e publicada.',
  reason: 'Motivo da recusa',
  reasonHint: 'A empresa vê-o. Indique o que tem de mudar.',
  deny: 'Recusar',
  denied: 'A oferta foi recusada. A empresa vê o motivo.',
  deniedBecause: (reason: string) => `Recusada: ${reason}`,
};

export const removal: Texts['removal'] = {
  link: 'Eliminar esta oferta definitivamente',
  title: 'Eliminar uma oferta',
  word: 'ELIMINAR',
  heading: (title: string) => `Eliminar definitivamente ${title}?`,
  explanation: (id: number, companyName: string) =>
    `Elimina a oferta ${id} da empresa ${companyName} com o seu histórico. A chave de idempotência continua reservada: repetir a criação responde 410. A oferta continua a contar para a quota. Se apenas a quer esconder dos candidatos, recuse-a.`,
  reason: 'Motivo',
  reasonHint: 'Para o registo de auditoria. A empresa vê-o em Atividade.',
  wrongWord: (word: string) => `Escreva ${word} em maiúsculas para eliminar a oferta.`,
  button: 'Eliminar a oferta',
  cancel: 'Cancelar e manter a oferta',
  done: 'A oferta foi eliminada definitivamente.',
};

export const jobLists: Texts['jobLists'] = {
  title: 'Ofertas de emprego',
  heading: (companyName: string, environment: string) => `Ofertas da empresa ${companyName} (${environment})`,
  empty: 'Ainda não há ofertas.',
  back: (companyName: string) => `Voltar a ${companyName}`,
};

export const companies: Texts['companies'] = {
  title: 'Empresas',
  state: 'Estado',
  states: {
    waiting: 'À espera de aprovação',
    approved: 'Aprovada',
    suspended: 'Suspensa',
    unverified: 'Por verificar',
  },
  notApproved: 'Não aprovada',
  plan: 'Plano',
  noPlan: 'Sem plano',
  complimentaryAccess: 'Acesso de cortesia',
  complimentary: 'Cortesia',
  none: 'Nenhuma empresa encontrada. Altere a pesquisa ou o filtro.',
  total: (total, isNewestFirst) =>
    total === 1 || !isNewestFirst ? `${company(total)}.` : `${company(total)}, das mais recentes para as mais antigas.`,
  columns: {
    company: 'Empresa',
    state: 'Estado',
    plan: 'Plano',
    pending: 'Ofertas pendentes',
    created: 'Criada em',
  },
};
