import { newAdministrator, type Page, PageClient } from './page-client.ts';

export const asAdministrator = async (): Promise<PageClient> =>
  PageClient.signedIn('administrator', await newAdministrator());

/** The token of the page's forms. */
export const tokenIn = ({ document }: Page): string =>
  document.querySelector<HTMLInputElement>('[name=_csrf]')?.value ?? '';
