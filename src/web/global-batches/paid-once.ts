/** Calls that pay are repeated under one key until their answer arrives, so that a lost connection neither pays twice nor hides the files. */
import { patiently } from '../kernel/patiently.ts'
import { randomId } from '../kernel/connection.ts'
import { notify } from '../ui/dialogs/notices.ts'

/**
 * Sends a call that pays. Its `intent` is the same in each repetition. It is repeated only while no answer arrives: any answer, also that the
 * server is down, says that nothing was done, and is thrown.
 */
export function paidOnce<Result>(send: (intent: string) => Promise<Result>): Promise<Result> {
  const intent = randomId()
  let isTold = false
  return patiently(
    () => send(intent),
    (held) => {
      if (held === null || isTold) return
      isTold = true
      notify({ kind: 'info', title: 'Waiting for the server', message: 'This is sent again until the server answers, and is done once.' })
    },
    ({ status }) => status === 0,
  )
}
