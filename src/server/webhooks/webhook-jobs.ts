/** Scheduled work: turns the trail into deliveries, sends what is due, and sweeps old deliveries. */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { JobDefinition } from '../kernel/work/jobs.ts'
import { allowedHosts } from '../kernel/http/outside-request.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { feedDeliveries } from './feed-deliveries.ts'
import { sendDeliveries } from './send-deliveries.ts'

const lookSeconds = 5
const deliveryDays = 30

type Pump = () => Promise<void>
/** The pump of each process's machinery: a requested test does not wait for the schedule. */
const pumps = new WeakMap<object, Pump>()

export function webhookJobs(settings: Pick<Config, 'production' | 'webhookPrivateHosts'>): JobDefinition[] {
  const hosts = allowedHosts(settings.production, settings.webhookPrivateHosts)
  return [
    {
      name: 'webhook_send',
      everySeconds: lookSeconds,
      run: async ({ machinery, signal }) => {
        const known = pumps.get(machinery.jobsDatabase)
        const pump = known ?? onceAtATime(() => sendDeliveries({ machinery, hosts, signal }))
        if (!known) pumps.set(machinery.jobsDatabase, pump)
        await feedDeliveries(machinery, signal)
        await pump()
      },
    },
    { name: 'sweep_webhook_deliveries', cron: '25 3 * * *', run: ({ machinery }) => sweepDeliveries(machinery) },
  ]
}

/** Starts sending at once if this process sends at all. Returns before anything is sent. */
export function pumpSoon(machinery: Pick<Machinery, 'jobsDatabase' | 'log'>): void {
  void pumps
    .get(machinery.jobsDatabase)?.()
    .catch((error: unknown) => machinery.log.warn('webhooks not sent', { error }))
}

/** A second call during a run makes that run check once more, and returns with it. */
function onceAtATime(work: () => Promise<unknown>): Pump {
  let running: Promise<void> | null = null
  let again = false
  const run = async (): Promise<void> => {
    do {
      again = false
      await work()
    } while (again)
  }
  return () => {
    again = true
    running ??= run().finally(() => (running = null))
    return running
  }
}

/** Deletes deliveries that were sent or given up a month ago, in bounded portions. */
export async function sweepDeliveries({ jobsDatabase: { db } }: Pick<Machinery, 'jobsDatabase'>): Promise<void> {
  for (;;) {
    const { rows } = await sql`delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < now() - make_interval(days => ${deliveryDays}::int) order by created_at limit 5000) returning id`.execute(
      db,
    )
    if (rows.length === 0) return
  }
}
