import type { ComponentChildren } from 'preact';
import { storedNouns } from '../../../generated/stored-fields.ts';
import type { ActorNames, Portal } from '../../domain/actor.ts';
import { type AuditAction, auditActions } from '../../domain/audit-actions.ts';
import { unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { type listAudit, namedDetails } from '../../operations/audit/people/list-audit.ts';
import { accessLabels } from '../../operations/credentials/people/issue-credential.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { roleLabels } from '../../operations/users/people/create-account.ts';
import { nameLabel, storedLabel } from '../labels.ts';
import type { Cells } from '../list.tsx';
import { type Options, type PageRequest, usePageRequest } from '../page.ts';
import { isolated } from '../texts/isolated.ts';
import { type Translate, valueText } from '../texts/language.ts';

/** Labels of actions whose own name would not be clear enough. */
const actionLabels: { readonly [A in AuditAction]?: string } = {
  'company.approved': 'Company approved for production',
  'company.districts_set': 'Company regions set',
  'grant.ended': 'Complimentary access ended',
  'grant.given': 'Complimentary access granted',
  'job.purged': 'Ended jobs permanently removed',
  'job.removed': 'Job permanently removed',
  'job.resubmitted': 'Job sent to review again',
  'job.updated': 'Job changed',
  'reference.seeded': 'Reference data added',
  'session.ended': 'Sessions ended',
  'user.created': 'Account created',
  'user.invited': 'Account created by invitation',
  'user.password_set': 'Account password set',
  'user.removed': 'Account removed',
  'user.unlocked': 'Account unlocked',
};

/** An action in English words: 'credential.issued' becomes "Credential issued". */
export function actionLabel(action: string): string {
  const words = action.replace(/[._]/g, ' ');
  return actionLabels[action as AuditAction] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Every audit action, sorted by its text. */
export const auditActionOptions = (t: Translate): Options<AuditAction> =>
  auditActions
    .map((action) => [action, t(actionLabel(action))] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, t.locale));

type Audit = Awaited<ReturnType<typeof listAudit>>;
type AuditRow = Audit['items'][number];

/** The path of the page of one row, by the contract's word for the row. Undefined if the portal has no page of such rows. */
type PathOf = (noun: string, environment: Environment, id: unknown, companyId: bigint | null) => string | undefined;

/** The columns of an audit trail. An entry is a sentence: Job denied by ana@example.com: Pintor, reason: Falta a morada. */
export const auditCells = (t: Translate, pathOf: PathOf): Cells<AuditRow, Audit> => ({
  id: null,
  action: (row, { names }) => {
    const parts = detailsOf(row, names, pathOf, t);
    return (
      <span class="sentence">
        {t('{{action}} by {{actor}}', {
          action: t(actionLabel(row.action)),
          actor: <ActorName actor={row.actor} names={names} />,
        })}
        {parts.map((part, at) => [at === 0 ? ': ' : ', ', part])}
      </span>
    );
  },
  environment: ({ environment }) => environment && t(environmentLabels[environment]).toLowerCase(),
  actor: null,
  actorEmail: null,
  details: null,
});

/** The labels of actors without a name. An operator has none, or one that is not looked up: operator:ana. */
const actorLabels: Readonly<Record<string, string>> = {
  credential: 'Removed credential',
  user: 'Removed account',
  administrator: 'Removed administrator',
  operator: 'Operator',
};

/**
 * An actor's name. If there is none, says what the actor is, such as "Removed account", and to administrators also which: "Removed account
 * (3)", "Operator (ana)". A company sees every administrator and operator as "Administrator".
 */
export function actorText(actor: string, names: ActorNames, { portal, t }: Pick<PageRequest, 'portal' | 't'>): string {
  const [kind = '', which] = actor.split(/:(.*)/s);
  if (portal === 'company' && kind !== 'credential' && kind !== 'user') return t('Administrator');
  const name = names.get(actor);
  if (name !== undefined) return kind === 'credential' ? t('Credential "{{label}}"', { label: name }) : name;
  const known = actorLabels[kind];
  if (known === undefined) return actor;
  const label = t(known);
  return portal === 'administrator' && which ? `${label} (${which})` : label;
}

/** `actorText`, as a link to the person's entries in the audit trail. */
export function ActorName({ actor, names }: { readonly actor: string; readonly names: ActorNames }) {
  const page = usePageRequest();
  const text = actorText(actor, names, page);
  const isFound = page.portal === 'administrator' || (actor.startsWith('user:') && names.has(actor));
  if (!isFound || actor.startsWith('credential:')) return <>{isolated(text)}</>;
  return (
    <a class="in-text actor" href={actorPath(page.portal, names.get(actor) ?? actor)}>
      {isolated(text)}
    </a>
  );
}

/** The page with an actor's entries in the audit trail. `actor` is what its filter accepts: an e-mail address, or such as operator:ana. */
export const actorPath = (portal: Portal, actor: string): string =>
  `${portal === 'administrator' ? '/admin/audit' : '/dashboard/activity'}?${new URLSearchParams({ actor })}`;

/** The details to show first. An id with a known name needs no label: Pintor, "website", read and write, 365 days */
const plainDetails = ['job_id', 'credential_id', 'user_id', 'access', 'days'];

function detailsOf(row: AuditRow, names: ActorNames, pathOf: PathOf, t: Translate): ComponentChildren[] {
  const { action, companyId, details, environment } = row;
  const linked = (text: ComponentChildren, id: unknown): ComponentChildren => {
    // A deleted row has no page.
    const isGone = /[.](deleted|removed)$/.test(action) || environment === null;
    const path = isGone ? undefined : pathOf(nounIn(action), environment, id, companyId);
    return path === undefined ? text : <a class="in-text" href={path}>{text}</a>; // biome-ignore format: one line
  };
  return (
    Object.entries(details)
      // The id of a category or plan is left out if the details have its name.
      .filter(([detail, value]) => value !== null && !(/^(category|plan)_id$/.test(detail) && 'name' in details))
      .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
      .map(([detail, value]) => {
        const found = isNamed(detail) ? [value].flat().map((id) => names.get(`${namedDetails[detail]}:${id}`)) : [];
        const name = found.length > 0 && found.every((one) => one !== undefined) && isolated(found.join(', '));
        if (name && detail === 'job_id') return linked(name, value);
        if (detail === 'id') return [`${t(detail)}: `, linked(detailText(value, t), value)];
        if (name && detail === 'credential_id') return `"${name}"`;
        if (detail === 'fields') return `${t('fields')}: ${fieldLabels(value, action, t)}`;
        if (detail === 'access') return detailText(value, t);
        if (detail === 'days') return t('{{count}} days', { count: Number(value), one: '{{count}} day' });
        const label = nameLabels[detail];
        if (name) return label === undefined ? name : `${t(label).toLowerCase()}: ${name}`;
        return `${detailLabel(detail, t)}: ${detailText(value, t)}`;
      })
  );
}

/** A detail in words. A number of rows of a table has the title of their pages. */
const detailLabel = (detail: string, t: Translate): string =>
  Object.hasOwn(storedNouns, detail) ? t(storedLabel(detail)).toLowerCase() : t(detail.replaceAll('_', ' '));

/** The first word of an action is what it is about. */
const nounIn = (action: string): string => action.replace(/[.].*/, '');

/** The labels of changed fields, as in forms. */
const fieldLabels = (fields: unknown, action: string, t: Translate): string =>
  [fields]
    .flat()
    .map((name) => t(nameLabel(String(name), nounIn(action))).toLowerCase())
    .join(', ');

const placeOf = (detail: string): number =>
  plainDetails.includes(detail) ? plainDetails.indexOf(detail) : plainDetails.length;

/** Labels of details whose id is shown as a name. For a detail that is not listed here, the name is shown without a label. */
const nameLabels: Readonly<Record<string, string>> = { parent_id: 'Main area', replaced_id: 'Replaces' };

const isNamed = (detail: string): detail is keyof typeof namedDetails => Object.hasOwn(namedDetails, detail);

/** Labels of known values. Any other text is not translated, because a person may have typed it. */
const valueLabels: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  ...accessLabels,
  ...roleLabels,
};

function detailText(value: unknown, t: Translate): string {
  if (Array.isArray(value)) return value.join(' ') || t('all');
  if (value === unlimited) return t('Unlimited').toLowerCase();
  const text = valueText(value, t.locale);
  return Object.hasOwn(valueLabels, text) ? t(valueLabels[text] ?? text).toLowerCase() : isolated(text);
}
