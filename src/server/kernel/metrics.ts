/** Metrics for Prometheus, in base units, labelled by route template and never by id. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from './postgres/database.ts'
import type { JobRunner } from './work/jobs.ts'

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

export interface Metrics {
  /** Times every request of the server. */
  observe(server: FastifyInstance): void
  /** Adds one to a counter, for example `sign_in_failures_total`. Its name must end in `_total`. */
  count(name: string): void
  /** Reads a value each time that the metrics are requested. */
  gauge(name: string, read: () => number): void
  /** Returns all metrics in Prometheus' text format. Those that need the database are left out while it is unavailable. */
  render(): Promise<string>
}

export interface MetricsParts {
  readonly database: Database
  readonly jobsDatabase: Database
  readonly jobs: Pick<JobRunner, 'counts'>
  readonly streamCount: () => number
}

interface Timing {
  readonly buckets: number[]
  sum: number
  count: number
}

export function createMetrics(parts: MetricsParts): Metrics {
  const timings = new Map<string, Timing>()
  const counters = new Map<string, number>([['sign_in_failures_total', 0]])
  const gauges = new Map<string, () => number>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    observe: (server) => {
      server.addHook('onResponse', (request, reply, done) => {
        const labels = labelled({
          http_request_method: request.method,
          http_route: request.routeOptions.url ?? 'none',
          http_response_status_code: reply.statusCode,
        })
        add(timings, labels, reply.elapsedTime / 1_000)
        if (reply.statusCode === 401 && request.routeOptions.url?.endsWith('/auth/sign_in')) raise(counters, 'sign_in_failures_total')
        if (reply.statusCode === 403) raise(counters, 'denied_decisions_total')
        done()
      })
    },
    count: (name) => raise(counters, name),
    gauge: (name, read) => void gauges.set(name, read),
    async render() {
      const lines = [
        ...requestLines(timings),
        ...processLines(parts, delay.percentile(99) / 1e9),
        ...[...gauges].flatMap(([name, read]) => figure(name, 'gauge', read())),
        ...[...counters].flatMap(([name, value]) => figure(name, 'counter', value)),
      ]
      delay.reset()
      try {
        lines.push(...(await databaseLines(parts)), ...figure('database_up', 'gauge', 1))
      } catch {
        lines.push(...figure('database_up', 'gauge', 0))
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function raise(counters: Map<string, number>, name: string): void {
  counters.set(name, (counters.get(name) ?? 0) + 1)
}

function add(timings: Map<string, Timing>, labels: string, seconds: number): void {
  const timing = timings.get(labels) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 }
  timings.set(labels, timing)
  timing.sum += seconds
  timing.count += 1
  const at = bounds.findIndex((bound) => seconds <= bound)
  if (at >= 0) timing.buckets[at] = (timing.buckets[at] ?? 0) + 1
}

function requestLines(timings: ReadonlyMap<string, Timing>): string[] {
  const name = 'http_server_request_duration_seconds'
  const lines = [`# TYPE ${name} histogram`]
  for (const [labels, timing] of timings) {
    let below = 0
    bounds.forEach((bound, at) => {
      below += timing.buckets[at] ?? 0
      lines.push(`${name}_bucket{${labels},le="${bound}"} ${below}`)
    })
    lines.push(
      `${name}_bucket{${labels},le="+Inf"} ${timing.count}`,
      `${name}_sum{${labels}} ${timing.sum}`,
      `${name}_count{${labels}} ${timing.count}`,
    )
  }
  return lines
}

function processLines({ database, jobsDatabase, streamCount }: MetricsParts, lagSeconds: number): string[] {
  const memory = process.memoryUsage()
  const pools = { interactive: database.pool, jobs: jobsDatabase.pool }
  return [
    ...figure('process_resident_memory_bytes', 'gauge', memory.rss),
    ...figure('nodejs_heap_used_bytes', 'gauge', memory.heapUsed),
    ...figure('process_cpu_seconds_total', 'counter', (process.cpuUsage().user + process.cpuUsage().system) / 1e6),
    ...figure('process_uptime_seconds', 'gauge', process.uptime()),
    ...figure('nodejs_eventloop_lag_p99_seconds', 'gauge', Number.isFinite(lagSeconds) ? lagSeconds : 0),
    ...figure('live_connections', 'gauge', streamCount()),
    '# TYPE database_pool_connections gauge',
    ...Object.entries(pools).flatMap(([name, pool]) => [
      `database_pool_connections{pool="${name}",state="used"} ${pool.totalCount - pool.idleCount}`,
      `database_pool_connections{pool="${name}",state="idle"} ${pool.idleCount}`,
    ]),
    '# TYPE database_pool_waiting gauge',
    ...Object.entries(pools).map(([name, pool]) => `database_pool_waiting{pool="${name}"} ${pool.waitingCount}`),
  ]
}

async function databaseLines({ jobsDatabase, jobs }: MetricsParts): Promise<string[]> {
  const { db } = jobsDatabase
  const { rows: tasks } = await sql<{
    state: string
    count: number
  }>`select state, count(*) as count from tasks where state in ('waiting', 'running') group by state`.execute(db)
  const { rows: oldest } = await sql<{ task: string; mail: string; unsealed: string }>`select
    coalesce(extract(epoch from clock_timestamp() - (select min(created_at) from tasks where state = 'waiting')), 0)::text as task,
    coalesce(extract(epoch from clock_timestamp() - (select min(queued_at) from mails where state = 'waiting')), 0)::text as mail,
    coalesce(extract(epoch from clock_timestamp() - (select min(record.created_at) from audit_records record
      where not exists (select from audit_seals seal where seal.client_id = record.client_id and seal.audit_record_id = record.id)
        and record.created_at > now() - interval '1 day')), 0)::text as unsealed`.execute(db)
  const { rows: dead } = await sql<{ count: number }>`select count(*) as count from mails where state = 'dead'`.execute(db)
  const counted = new Map(tasks.map((row) => [row.state, row.count]))
  return [
    '# TYPE tasks gauge',
    ...['waiting', 'running'].map((state) => `tasks{state="${state}"} ${counted.get(state) ?? 0}`),
    ...figure('tasks_oldest_waiting_seconds', 'gauge', Number(oldest[0]?.task ?? 0)),
    ...figure('mails_oldest_waiting_seconds', 'gauge', Number(oldest[0]?.mail ?? 0)),
    ...figure('mails_dead', 'gauge', dead[0]?.count ?? 0),
    ...figure('audit_oldest_unsealed_seconds', 'gauge', Number(oldest[0]?.unsealed ?? 0)),
    '# TYPE jobs gauge',
    ...(await jobs.counts()).map((row) => `jobs{${labelled({ queue: row.name, state: row.state })}} ${row.count}`),
  ]
}

function figure(name: string, type: 'gauge' | 'counter', value: number): string[] {
  return [`# TYPE ${name} ${type}`, `${name} ${value}`]
}

function labelled(labels: Readonly<Record<string, string | number>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replace(/[\\"\n]/g, '_')}"`)
    .join(',')
}
