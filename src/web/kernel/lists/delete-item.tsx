import type { Call, Nothing, Result } from '#contract/kernel/call.ts'
import { confirm } from '../../ui/dialogs/confirm-dialog.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { callWith } from '../api.ts'
import { removeRow } from './list-rows.ts'
import { messages, seconds } from '../notices/messages.ts'
import { deleteNotice, deleteProblemNotice } from '../notices/notices.ts'
import { refresh } from '../query.ts'

export type DestroyCall<Params> = Call<Params, Nothing, Nothing, Result>

export interface Deletion<Params> {
  readonly call: DestroyCall<Params>
  readonly params: Params
  /** Plural wire name of the lists that show the record; the call's own group by default. */
  readonly plural?: string | undefined
  readonly question?: string | undefined
  /** The record's name, shown in the question's second line. */
  readonly name?: string | undefined
  /** Ledger lists reload the page instead of removing the row. */
  readonly reloads?: boolean | undefined
  /** Replaces the server's message where the specification gives a text. */
  readonly success?: string | undefined
  readonly failure?: string | undefined
  readonly onDeleted?: (() => void) | undefined
}

export type DeleteItemProps<Params> = Deletion<Params> & { label?: string | undefined; disabledReason?: string | undefined }

/** 'Delete' in a row's menu: asks, deletes, shows the server's message and removes the row from the list. */
export function DeleteItem<Params extends { id: number }>({ label = 'Delete', disabledReason, ...deletion }: DeleteItemProps<Params>) {
  return (
    <MenuItem danger disabledReason={disabledReason} onSelect={() => void deleteRecord(deletion)}>
      {label}
    </MenuItem>
  )
}

/** Asks and deletes one record; resolves to whether it was deleted. */
export async function deleteRecord<Params extends { id: number }>(deletion: Deletion<Params>): Promise<boolean> {
  const { call, params, question = messages.delete_question, name, success, failure } = deletion
  if (!(await confirm({ message: question, consequence: name, confirmLabel: 'Delete', danger: true }))) return false
  try {
    const result = await callWith(call, { params })
    deleteNotice({ success: result.success, message: (result.success ? success : failure) ?? result.message })
    if (result.success) settle(deletion)
    return result.success
  } catch (error) {
    if (failure) deleteNotice({ success: false, message: failure })
    else deleteProblemNotice(error)
    return false
  }
}

function settle<Params extends { id: number }>({ call, params, plural, reloads, onDeleted }: Deletion<Params>): void {
  const group = plural ?? call.name.split('.')[0] ?? call.name
  if (onDeleted) {
    refresh(group)
    onDeleted()
  } else if (reloads) {
    // Shows the notice first and then reloads the page.
    setTimeout(() => location.reload(), seconds.usual * 1000)
  } else removeRow(group, params.id)
}
