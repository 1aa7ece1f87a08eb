/**
 * A process that repeats the same request in a number of loops until SIGTERM: `node flood-process.ts <order as JSON>`. It prints a line at
 * its first answer, and in the end the count of each status.
 */
import { Agent, request } from 'node:http'
import { z } from 'zod'

const floodOrder = z.object({
  url: z.string(),
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  loops: z.int(),
})
export type FloodOrder = z.infer<typeof floodOrder>

const { url, method, path, headers, body, loops } = floodOrder.parse(JSON.parse(process.argv[2] ?? ''))
const agent = new Agent({ keepAlive: true, maxSockets: loops })
const statuses: Record<string, number> = {}
let isOver = false

function ask(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const asked = request(`${url}${path}`, { method, headers, agent }, (answer) => {
    answer.resume().once('close', () => resolve(String(answer.statusCode)))
  })
  asked.once('error', (error) => resolve(error.message))
  asked.end(body)
  return promise
}

async function loop(): Promise<void> {
  while (!isOver) {
    const status = await ask()
    if (Object.keys(statuses).length === 0) console.log('begun')
    if (!isOver) statuses[status] = (statuses[status] ?? 0) + 1
  }
}

process.once('SIGTERM', () => {
  isOver = true
  agent.destroy()
  console.log(JSON.stringify(statuses))
})
await Promise.all(Array.from({ length: loops }, loop))
