/** Whose pages: a company's dashboard, or the administrator's console. Neither's sessions open the other. */
export type Portal = 'company' | 'administrator';
