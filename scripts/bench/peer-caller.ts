import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Schemas } from '../../src/contract/types.ts';
import { hashSecret, readSecret } from '../../src/domain/token.ts';

export type Caller = Prisma.CredentialGetPayload<{ include: { company: true } }>;

const environment = 'production';
const requestsPerMinute = Number(process.env.REQUESTS_PER_MINUTE ?? 60);

/** The credential in force with its company, or undefined. */
export async function findCaller(prisma: PrismaClient, token: string, now: Date): Promise<Caller | undefined> {
  const tenant = readSecret(token);
  if (tenant?.environment !== environment) return undefined;
  const caller = await prisma.credential.findFirst({
    where: {
      companyId: tenant.companyId,
      secretHash: hashSecret(token),
      environment,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    include: { company: true },
  });
  return caller?.company.productionApprovedAt ? caller : undefined;
}

/** The period is the calendar month, where the subscriptions of the sample data begin on its first day. */
export const periodStartOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

export async function readAccount(
  prisma: PrismaClient,
  { companyId }: Caller,
  now: Date,
): Promise<Schemas['Account'] | undefined> {
  const periodStart = periodStartOf(now);
  const usageKey = { companyId, allowance: 'subscription' as const, periodStart };
  const [subscription, usage] = await Promise.all([
    prisma.subscription.findUnique({ where: { companyId }, include: { plan: true } }),
    prisma.postingUsage.findUnique({ where: { companyId_allowance_periodStart: usageKey } }),
  ]);
  if (!subscription) return undefined;
  const limit = subscription.plan.postingLimit;
  const used = usage?.used ?? 0;
  return {
    company_id: Number(companyId),
    plan: subscription.plan.name,
    requests_per_minute: requestsPerMinute,
    jobs: {
      limit,
      used,
      remaining: limit < 0 ? limit : Math.max(limit - used, 0),
      period_start: dayOf(periodStart),
      period_end: dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0))),
    },
    access_type: 'subscription',
  };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
