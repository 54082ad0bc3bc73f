import type { ComponentChildren } from 'preact';

const euros = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

export const jobs = {
  columns: { title: 'Title', status: 'Status', lastDay: 'Last day', created: 'Created', changed: 'Changed' },
  /** "Job 12 in production, created 21 Nov 2026, 14:05". */
  caption: (id: string, environment: string, created: ComponentChildren): ComponentChildren => [
    `Job ${id}, ${environment}, created `,
    created,
  ],
  captionOf: (id: string, company: string, environment: string, created: ComponentChildren): ComponentChildren => [
    `Job ${id} of ${company}, ${environment}, created `,
    created,
  ],
  anonymous: "Published without the company's name.",
  preview: 'As candidates see it',
  source: 'As the API returns it',
  salary: 'Salary',
  amount: (decimal: string) => euros.format(Number(decimal)),
  salaryFrom: (amount: string) => `from ${amount}`,
  salaryTo: (amount: string) => `to ${amount}`,
  negotiable: 'negotiable',
  history: 'History',
  historyLabel: 'History of the job',
  olderEvents: 'Older events',
  noEvents: 'No events.',
  historyColumns: { time: 'Time', event: 'Event', status: 'Status after', actor: 'Actor' },
  events: {
    created: 'Created',
    updated: 'Changed',
    withdrawn: 'Withdrawn',
    approved: 'Approved',
    denied: 'Denied',
  },
};

/** Labels of job fields that differ from the contract's English ones. */
export const fieldLabels: Readonly<Record<string, string>> = {};

/** Texts of enumerated values; a value without one is shown as words: full_time is "Full time". */
export const fieldValues: Readonly<Record<string, string>> = {
  presencial: 'On site',
  remoto: 'Remote',
  hibrido: 'Hybrid',
  sem_requisitos: 'No requirements',
  ensino_basico: 'Basic education',
  ensino_secundario: 'Secondary education',
  ensino_profissional: 'Vocational education',
  curso_tecnologico: 'Technological course',
  licenciatura: "Bachelor's degree",
  pos_graduacao: 'Postgraduate course',
  mestrado: "Master's degree",
  doutoramento: 'Doctorate',
  outro: 'Other',
};
