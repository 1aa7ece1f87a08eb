/** Waits for tasks, for the tests of bill retrieval. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

const taskSchema = z.object({
  id: z.number(),
  state: z.string(),
  rows_done: z.number(),
  rows_total: z.number().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  has_file: z.boolean(),
})
export type SeenTask = z.infer<typeof taskSchema>

type Ask = (method: 'GET', path: string) => Promise<{ readonly body: Record<string, unknown> }>

/** Waits for a task to end in any state. */
export async function taskOf(ask: Ask, id: unknown, withinMs = 240_000): Promise<SeenTask> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(150)) {
    const { tasks } = z.object({ tasks: z.array(taskSchema) }).parse((await ask('GET', '/tasks?per=50')).body)
    const task = tasks.find((one) => one.id === id)
    if (task && task.state !== 'waiting' && task.state !== 'running') return task
  }
  throw new Error(`task ${String(id)} did not end`)
}
