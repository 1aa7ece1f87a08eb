/** The menu of a list's views. */
import { useState } from 'react'
import { savedViewCalls } from '#contract/list-layouts/list-layout.ts'
import { confirm } from '../../ui/dialogs/confirm-dialog.tsx'
import { ViewsMenu } from '../../ui/grid/views-menu.tsx'
import { callApi } from '../api.ts'
import { FailedAttempt, useAttempt, type Attempt } from '../attempt.tsx'
import { messages } from '../notices/messages.ts'
import { resultNotice } from '../notices/notices.ts'
import { useCan, useClientOnly } from '../permissions.tsx'
import { refresh } from '../query.ts'
import { useLoadedClient, useScopeId } from '../scope.ts'
import type { ListControls } from './list-state.ts'
import type { ViewState } from './view-state.ts'
import { keepViewChoices, type ViewChoices } from './view-choices.ts'

/** Chooses a view, keeps the list's state as one, and says which are pinned and in which one the list opens. */
export function ListViewMenu({ list, state, views }: { list: string; state: ListControls; views: ViewState }) {
  const sharing = useSharing()
  const { view } = views
  const layout = { ...views.layout }
  const changed = view ? state.viewText !== view.query || views.changedLayout !== undefined : state.viewText !== ''
  const naming = useAttempt()
  const changing = useAttempt()
  const [again, setAgain] = useState<() => void>(() => () => undefined)
  /** Resolves to whether the work succeeded. */
  const run = async (attempt: Attempt, work: () => Promise<void>): Promise<boolean> => {
    const done = await attempt.run(async () => {
      await work()
      return true
    })
    if (done) refresh('saved_views')
    return done === true
  }
  /** The menu has closed, so a failure is shown beside it. */
  const change = (work: () => Promise<void>) => {
    const act = () => void run(changing, work)
    setAgain(() => act)
    act()
  }
  const save = () =>
    change(async () => {
      if (!view) return
      const body = { saved_view: { query: state.viewText, layout, lock_version: view.lock_version } }
      resultNotice(await callApi(savedViewCalls.update, { params: { id: view.id }, body }))
      views.forgetLayout()
    })
  const rename = (id: number, name: string) =>
    run(naming, async () => {
      const body = { saved_view: { name, lock_version: view?.lock_version } }
      resultNotice(await callApi(savedViewCalls.update, { params: { id }, body }))
    })
  const saveAs = ({ name, shared }: { name: string; shared: boolean }) =>
    run(naming, async () => {
      const audience = shared && sharing.clientId !== null ? { client_id: sharing.clientId } : {}
      const saved_view = { list, name, shared, ...audience, query: state.viewText, layout }
      const made = await callApi(savedViewCalls.create, { body: { saved_view } })
      resultNotice(made)
      views.forgetLayout()
      state.openView(made.saved_view.id, made.saved_view.query)
    })
  const { choices } = views
  const choose = (next: ViewChoices) => change(() => keepViewChoices(list, next))
  const remove = async (id: number) => {
    if (!(await confirm({ message: messages.delete_question, confirmLabel: 'Delete', danger: true }))) return
    change(async () => {
      resultNotice(await callApi(savedViewCalls.destroy, { params: { id } }))
      if (id === view?.id) state.openView(null, '')
    })
  }
  return (
    <>
      <ViewsMenu
        views={views.views.map(({ id, name, shared_with, own }) => ({ id, name, sharedWith: shared_with?.name, editable: own }))}
        currentId={view?.id ?? null}
        changed={changed}
        shareLabel={sharing.label}
        onChoose={(id) => {
          views.forgetLayout()
          state.openView(id, views.views.find((one) => one.id === id)?.query ?? '')
        }}
        onSave={save}
        onSaveAs={saveAs}
        onRename={rename}
        saving={naming.busy}
        saveAsFoot={(retry) => <FailedAttempt attempt={naming} again={retry} />}
        onReset={() => {
          views.forgetLayout()
          state.openView(view?.id ?? null, view?.query ?? '')
        }}
        onDelete={(id) => void remove(id)}
        pinned={view !== undefined && choices.pinned.includes(view.id)}
        isStart={view !== undefined && choices.start === view.id}
        onPin={(id) =>
          choose({ ...choices, pinned: choices.pinned.includes(id) ? choices.pinned.filter((one) => one !== id) : [...choices.pinned, id] })
        }
        onStart={(id) => choose({ ...choices, start: choices.start === id ? null : id })}
      />
      <FailedAttempt attempt={changing} what="View not changed" again={again} />
    </>
  )
}

/** With whom a view can be shared here: in a client with its people, in the admin view with one's colleagues. No label: with nobody. */
function useSharing(): { clientId: number | null; label: string | undefined } {
  const [id, client] = [useScopeId(), useLoadedClient()]
  const speaksForClient = useCan('division.update')
  const clientOnly = useClientOnly()
  if (id !== null) return { clientId: id, label: speaksForClient && client ? `Share with the people of ${client.name}` : undefined }
  return { clientId: null, label: clientOnly === false && speaksForClient ? 'Share with your colleagues' : undefined }
}
