/** The notice of an act that can be taken back: from its line, and from the bell for as long as the page is open. */
import type { Result } from '#contract/kernel/call.ts'
import { notify, type NoticeInput } from '../../ui/dialogs/notices.ts'
import { messages, seconds } from './messages.ts'
import { problemWords } from './notices.ts'

type Said = Pick<Result, 'message'>

export interface Undoable {
  /** Takes the act back by the server's own call. */
  readonly undo: () => Promise<Said>
  /** Called after the undo, done or refused: what it changed is loaded again. */
  readonly after: () => void
  /** Where the act and what it changed are read. */
  readonly link?: NoticeInput['link']
}

/** Says what happened, with Undo. Without an undo it is a plain success. */
export function saidWithUndo({ message }: Said, undoable: Undoable | undefined, link = undoable?.link): void {
  const action = undoable && { label: 'Undo', keys: 'mod+z', run: () => void takeBack(undoable) }
  notify({ kind: 'success', title: messages.success, message, duration: seconds.undo, link, action })
}

/** A refusal stays until it is closed, because it says what stands in the way. */
export async function takeBack({ undo, after, link }: Undoable): Promise<void> {
  try {
    const { message } = await undo()
    notify({ kind: 'success', title: messages.success, message, duration: seconds.batch })
  } catch (error) {
    notify({ kind: 'error', ...problemWords(error), duration: 0, link })
  }
  after()
}
