import type { PageRoute } from '../kernel/page-route.ts'

export const userRoutes: readonly PageRoute[] = [...pagesAt('/users', 'AllUsers'), ...pagesAt('/clients/:client_id/users', 'ClientUsers')]

/** Returns the same pages for all clients and within one. */
function pagesAt(list: string, name: 'AllUsers' | 'ClientUsers'): PageRoute[] {
  const one = `${list}/:user_id`
  return [
    { path: list, title: 'Users', may: 'user.read', page: async () => (await import('./user-list.tsx'))[name] },
    { path: `${list}/new`, title: 'New User', may: 'user.create', page: async () => (await import('./user-form.tsx')).NewUser },
    { path: `${one}/edit`, title: 'Edit User', may: 'user.update', page: async () => (await import('./user-form.tsx')).EditUser },
    {
      path: `${one}/edit/password`,
      title: 'Update Password',
      may: 'user.update',
      page: async () => (await import('./user-password.tsx')).UpdatePassword,
    },
    { path: `${one}/roles`, title: 'Roles', may: 'user.read', page: async () => (await import('./role-list.tsx')).UserRoles },
    { path: `${one}/roles/new`, title: 'New Role', may: 'user.update', page: async () => (await import('./role-form.tsx')).NewRole },
    {
      path: `${one}/roles/:role_id/edit`,
      title: 'Edit Role',
      may: 'user.update',
      page: async () => (await import('./role-form.tsx')).EditRole,
    },
  ]
}
