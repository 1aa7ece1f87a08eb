/** Named states of a list with filters, sort and columns, own or shared. */
import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { savedViewCalls, type SavedView } from '#contract/list-layouts/list-layout.ts'
import type { GridLayout } from '../../ui/grid/grid-types.ts'
import { ViewsMenu } from '../../ui/grid/views-menu.tsx'
import { confirm } from '../../ui/dialogs/confirm-dialog.tsx'
import { callApi } from '../api.ts'
import { FailedAttempt, useAttempt, type Attempt } from '../attempt.tsx'
import { readLayout, useListLayout, type LayoutState } from './list-layout.ts'
import type { ListControls } from './list-state.ts'
import { messages } from '../notices/messages.ts'
import { resultNotice } from '../notices/notices.ts'
import { useCan, useClientOnly } from '../permissions.tsx'
import { apiQuery, refresh } from '../query.ts'
import { useLoadedClient, useScopeId } from '../scope.ts'
import { useIdle } from '../use-idle.ts'

export interface ViewState extends LayoutState {
  readonly view: SavedView | undefined
  readonly views: readonly SavedView[]
  /** Columns changed since the view was opened; they become part of the view only by Save. */
  readonly changedLayout: GridLayout | null | undefined
  readonly forgetLayout: () => void
}

/** Returns the columns in use: those of the open view with later changes, else the user's own for this list. */
export function useListViews(list: string, state: ListControls): ViewState {
  const own = useListLayout(list)
  const views = useViews(list, state.view !== null)
  const view = views.data?.find((one) => one.id === state.view)
  const [changed, setChanged] = useState<{ view: number; layout: GridLayout | null } | null>(null)
  const changedLayout = view && changed?.view === view.id ? changed.layout : undefined
  const viewLayout = view ? readLayout(view.layout) : null
  return {
    layout: view ? (changedLayout === undefined ? (viewLayout ?? own.layout) : changedLayout) : own.layout,
    ready: own.ready && (state.view === null || !views.pending),
    save: (layout) => (view ? setChanged({ view: view.id, layout }) : own.save(layout)),
    view,
    views: views.data ?? [],
    changedLayout,
    forgetLayout: () => setChanged(null),
  }
}

/** The first rows do not need the views, so they are loaded when the browser is idle, unless one is in use. */
function useViews(list: string, now: boolean): { data: readonly SavedView[] | undefined; pending: boolean } {
  const idle = useIdle()
  const scopeId = useScopeId()
  const query = { list, ...(scopeId === null ? {} : { client_id: String(scopeId) }) }
  const asked = useQuery({ ...apiQuery(savedViewCalls.list, { query }), enabled: now || idle })
  return { data: asked.data?.saved_views, pending: asked.isPending }
}

/** With whom a view can be shared here: in a client with its people, in the admin view with one's colleagues. No label: with nobody. */
function useSharing(): { clientId: number | null; label: string | undefined } {
  const [id, client] = [useScopeId(), useLoadedClient()]
  const speaksForClient = useCan('division.update')
  const clientOnly = useClientOnly()
  if (id !== null) return { clientId: id, label: speaksForClient && client ? `Share with the people of ${client.name}` : undefined }
  return { clientId: null, label: clientOnly === false && speaksForClient ? 'Share with your colleagues' : undefined }
}

const Tabs = lazy(() => import('../../ui/grid/view-tabs.tsx').then((module) => ({ default: module.ViewTabs })))
/** Tabs beside the title, besides the list's own state; more would push the buttons away. */
const MOST_TABS = 5

/** The views as tabs beside the list's title, once there are some. */
export function ListViewTabs({ state, views: { view, views, forgetLayout } }: { state: ListControls; views: ViewState }) {
  if (views.length === 0) return null
  const all = { id: null, name: 'All', href: state.viewHref(null, ''), current: view === undefined && state.viewText === '' }
  const tabs = views
    .slice(0, MOST_TABS)
    .map(({ id, name, query }) => ({ id, name, href: state.viewHref(id, query), current: id === view?.id }))
  return (
    <Suspense fallback={null}>
      <Tabs views={[all, ...tabs]} onOpen={forgetLayout} />
    </Suspense>
  )
}

/** The menu of views beside the list's title. */
export function ListViews({ list, state, views }: { list: string; state: ListControls; views: ViewState }) {
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
      />
      <FailedAttempt attempt={changing} what="View not changed" again={again} />
    </>
  )
}
