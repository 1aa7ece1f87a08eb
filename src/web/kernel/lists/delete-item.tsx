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
  /** Whose lists show the record, by plural wire name; the call's own group unless told. */
  readonly plural?: string | undefined
  readonly question?: string | undefined
  /** What is deleted, as words in the question's second line: the record's name. */
  readonly name?: string | undefined
  /** Ledger lists load the page anew instead of taking the row out. */
  readonly reloads?: boolean | undefined
  /** Said instead of the server's message, where the specification gives a text. */
  readonly success?: string | undefined
  readonly failure?: string | undefined
  readonly onDeleted?: (() => void) | undefined
}

export type DeleteItemProps<Params> = Deletion<Params> & { label?: string | undefined; disabledReason?: string | undefined }

/** 'Delete' in a row's menu: asks, deletes, says the server's message and takes the row out of the list. */
export function DeleteItem<Params extends { id: number }>({ label = 'Delete', disabledReason, ...deletion }: DeleteItemProps<Params>) {
  return (
    <MenuItem danger disabledReason={disabledReason} onSelect={() => void deleteRecord(deletion)}>
      {label}
    </MenuItem>
  )
}

/** Asks and deletes one record; answers whether it is gone. */
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
    // The notice is in sight first, then the page loads anew.
    setTimeout(() => location.reload(), seconds.usual * 1000)
  } else removeRow(group, params.id)
}
