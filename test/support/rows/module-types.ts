/** The type names of a source file: what it declares and what it imports. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, type ESTree } from 'vite'

const ROOT = join(import.meta.dirname, '../../..')

export type TypeDeclaration = ESTree.TSInterfaceDeclaration | ESTree.TSTypeAliasDeclaration

/** A parsed source file, whose path is relative to the root. */
export interface Module {
  path: string
  text: string
  program: ESTree.Program
  types: ReadonlyMap<string, TypeDeclaration>
  /** The initial values of its constants. */
  constants: ReadonlyMap<string, ESTree.Expression>
  imports: ReadonlyMap<string, { name: string; path: string }>
  /** The modules whose names it passes on, by `export * from`. */
  passedOn: readonly string[]
}

const modules = new Map<string, Module>()

/** Returns the module of a path, which is parsed once in a process. */
export function moduleOf(path: string): Module {
  const known = modules.get(path) ?? parseModule(path, readFileSync(join(ROOT, path), 'utf8'))
  modules.set(path, known)
  return known
}

/** Parses the text as if it were the file of that path. */
export function parseModule(path: string, text: string): Module {
  const { program } = parseSync(path, text)
  const types = new Map<string, TypeDeclaration>()
  const constants = new Map<string, ESTree.Expression>()
  const imports = new Map<string, { name: string; path: string }>()
  const passedOn = program.body.flatMap((one) => (one.type === 'ExportAllDeclaration' ? (pathOf(path, one.source.value) ?? []) : []))
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') addImports(imports, path, statement)
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (statement.type === 'ExportNamedDeclaration' && statement.source) addPassedOn(imports, path, statement)
    if (declared?.type === 'TSInterfaceDeclaration' || declared?.type === 'TSTypeAliasDeclaration') types.set(declared.id.name, declared)
    if (declared?.type === 'VariableDeclaration')
      for (const { id, init } of declared.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init)
  }
  return { path, text, program, types, constants, imports, passedOn }
}

type Imports = Map<string, { name: string; path: string }>

function addImports(imports: Imports, from: string, { source, specifiers }: ESTree.ImportDeclaration): void {
  const path = pathOf(from, source.value)
  if (path === undefined) return
  for (const one of specifiers)
    if (one.type === 'ImportSpecifier' && one.imported.type === 'Identifier') imports.set(one.local.name, { name: one.imported.name, path })
}

/** Front doors pass names on, by `export … from`. */
function addPassedOn(imports: Imports, from: string, { source, specifiers }: ESTree.ExportNamedDeclaration): void {
  const path = source ? pathOf(from, source.value) : undefined
  if (path === undefined) return
  for (const { local, exported } of specifiers)
    if (local.type === 'Identifier' && exported.type === 'Identifier') imports.set(exported.name, { name: local.name, path })
}

function pathOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#contract/')) return join('src/contract', specifier.slice('#contract/'.length))
  return specifier.startsWith('.') ? join(dirname(from), specifier) : undefined
}
