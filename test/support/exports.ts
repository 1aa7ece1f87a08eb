/** The file that an export ends with. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Person, TestApp } from './app.ts'

/** Waits for the task and fetches its file as its owner does. */
export async function exportedText({ ask }: Pick<TestApp, 'ask'>, who: Person, taskId: unknown): Promise<string> {
  for (let tries = 0; tries < 1_000; tries++) {
    const { status, body } = await ask(who, 'GET', `/tasks/${String(taskId)}/file`)
    const url = body['url']
    if (status === 200 && typeof url === 'string') {
      const { text } = await ask(null, 'GET', url.slice(url.indexOf('/api/v5') + '/api/v5'.length))
      return text
    }
    await sleep(50)
  }
  throw new Error('the export does not end')
}
