/** "Add new …" inside a picker: the record's form in a dialog over the page, so that the surrounding form loses nothing. */
import { Suspense, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { Permission } from '#contract/kernel/permission.ts'
import { confirm } from '../../ui/dialogs/confirm-dialog.tsx'
import { Modal } from '../../ui/dialogs/modal.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { ownMessages } from '../notices/messages.ts'

/** Props of the form of a record that is added. */
export interface Adding {
  /** The text typed into the picker. */
  readonly name: string
  readonly onAdded: (id: number) => void
  /** Reports whether closing would lose unsaved values. */
  readonly onDirty: (dirty: boolean) => void
}

/** Lets a picker add missing records. */
export interface Addition {
  /** The record's noun within sentences: 'division'. */
  readonly noun: string
  readonly may: Permission
  readonly form: (adding: Adding) => ReactNode
}

interface Asked {
  readonly addition: Addition
  readonly name: string
  readonly answer: (id: number | null) => void
}

/** Width (px) of the dialog: two columns of fields. */
const DIALOG_WIDTH = 680

let stack: readonly Asked[] = []
const listeners = new Set<() => void>()

/**
 * Opens the form. Resolves to the id of the new record, or to null if the form was cancelled. A form may open another one, which is then on top.
 */
export function addNew(addition: Addition, name: string): Promise<number | null> {
  return new Promise((resolve) => {
    const asked: Asked = {
      addition,
      name,
      answer: (id) => {
        setStack(stack.filter((one) => one !== asked))
        resolve(id)
      },
    }
    setStack([...stack, asked])
  })
}

/** Shows the forms that `addNew` opened; rendered once on the page, outside of every form. */
export function AddNewHost() {
  const shown = useSyncExternalStore(subscribe, () => stack)
  return shown.map((asked, depth) => <AddDialog key={depth} {...asked} />)
}

function AddDialog({ addition, name, answer }: Asked) {
  const [dirty, setDirty] = useState(false)
  const close = async () => {
    const question = {
      title: 'Unsaved changes',
      message: ownMessages.unsaved_question,
      confirmLabel: 'Leave',
      cancelLabel: 'Stay',
      danger: true,
    }
    if (!dirty || (await confirm(question))) answer(null)
  }
  return (
    <Modal open onClose={() => void close()} title={`New ${addition.noun}`} width={DIALOG_WIDTH}>
      <Suspense fallback={<Skeleton width={220} />}>{addition.form({ name, onAdded: answer, onDirty: setDirty })}</Suspense>
    </Modal>
  )
}

function setStack(next: readonly Asked[]): void {
  stack = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
