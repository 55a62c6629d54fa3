import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Expression, Node, TaggedTemplateExpression } from 'typescript/unstable/ast'
import {
  isIdentifier,
  isPropertyAccessExpression,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import {
  API,
  type Checker,
  type Program,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What values of a column may be: 'string', 'number', 'boolean', 'Date', 'Buffer', 'object', 'any', or an array of one. */
export type ValueKind = string

interface ClaimedColumn {
  kinds: ValueKind[]
  isOptional: boolean
}

/** A `sql` template with the type that it gives its rows, or its value where it is an expression. */
export interface Claim {
  /** File and line below api/src. */
  at: string
  file: string
  /** Undefined for an expression. */
  columns: Record<string, ClaimedColumn> | undefined
  /** Whether rows have columns of which the type knows nothing: those of a type parameter. */
  isOpen: boolean
  value: ValueKind[]
  /** The whole statement, where its fragments are known without running it. */
  text: string | undefined
}

/** What a template is known by, in its source and in a compiled statement. */
export const templateKey = (texts: readonly string[]): string => JSON.stringify(texts)

const isSqlTemplate = (node: Node): node is TaggedTemplateExpression =>
  isTaggedTemplateExpression(node) && isIdentifier(node.tag) && node.tag.text === 'sql'

const spansOf = ({ template }: TaggedTemplateExpression) =>
  isTemplateExpression(template) ? [...template.templateSpans] : []

const textsOf = (node: TaggedTemplateExpression): string[] =>
  isTemplateExpression(node.template)
    ? [node.template.head.text, ...spansOf(node).map(({ literal }) => literal.text)]
    : [node.template.text]

const STATEMENT = /^\s*(?:$|(?:select|insert|update|delete|with|merge|show)\b)/i

/** A template that only wraps another claims nothing of its own. */
const isWrapper = (texts: readonly string[]): boolean => texts.every((text) => text.trim() === '')

/** A statement without a row type, such as a write, is one that is executed where it stands. */
const isExecuted = ({ parent }: TaggedTemplateExpression): boolean =>
  isPropertyAccessExpression(parent) && parent.name.text === 'execute'

function templatesIn(source: Node): TaggedTemplateExpression[] {
  const found: TaggedTemplateExpression[] = []
  const visit = (node: Node): void => {
    if (isSqlTemplate(node)) found.push(node)
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

const SCALARS: [TypeFlags, ValueKind][] = [
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
]
const EMPTY = TypeFlags.Null | TypeFlags.Undefined
const CLASSES = ['Date', 'Buffer']

/** Reads what the sources of the API claim about the rows of their statements. */
class ClaimReader {
  readonly #checker: Checker
  readonly #program: Program

  constructor({ checker, program }: Project) {
    this.#checker = checker
    this.#program = program
  }

  /** The claims of all `sql` templates with a type, by the texts of the template. */
  read(folder: string): Map<string, Claim[]> {
    const claims = new Map<string, Claim[]>()
    for (const name of this.#program.getSourceFileNames().filter((each) => each.startsWith(folder))) {
      const source = this.#program.getSourceFile(name)
      const templates = source ? templatesIn(source) : []
      for (const [index, builder] of this.#checker.getTypeAtLocation(templates).entries()) {
        const template = templates[index] as TaggedTemplateExpression
        const claim = this.#claimOf(template, builder as TypeReference)
        if (!claim) continue
        const key = templateKey(textsOf(template))
        const file = path.relative(folder, name)
        const line = source?.text.slice(0, template.tag.end).split('\n').length
        claims.set(key, [...(claims.get(key) ?? []), { ...claim, file, at: `${file}:${line}` }])
      }
    }
    return claims
  }

  #claimOf(template: TaggedTemplateExpression, builder: TypeReference): Omit<Claim, 'file' | 'at'> | undefined {
    const [type] = this.#checker.getTypeArguments(builder)
    const value = type ? this.#kindsOf(type) : ['any']
    const texts = textsOf(template)
    if (!type || isWrapper(texts)) return undefined
    const isStatement = STATEMENT.test(texts[0] ?? '')
    const text = isStatement ? this.#render(template, { count: 0 }) : undefined
    if (value.includes('any'))
      return isStatement && isExecuted(template) ? { value, columns: {}, isOpen: true, text } : undefined
    if (!isStatement || !value.includes('object')) return { value, columns: undefined, isOpen: true, text: undefined }
    const parts = type.isIntersectionType() ? type.getTypes() : [type]
    const isOpen = parts.some((part) => part.isTypeParameter())
    return { value, columns: this.#columnsOf(type), isOpen, text }
  }

  /** A type that contains itself, such as that of JSON, adds nothing the second time. */
  #kindsOf(type: Type, outer: readonly Type[] = []): ValueKind[] {
    if (type.flags & EMPTY || outer.includes(type)) return []
    const within = [...outer, type]
    const scalar = SCALARS.find(([flag]) => type.flags & flag)
    if (scalar) return [scalar[1]]
    if (type.isUnionType()) return [...new Set(type.getTypes().flatMap((each) => this.#kindsOf(each, within)))]
    if (this.#checker.isArrayType(type)) {
      const [element] = this.#checker.getTypeArguments(type as TypeReference)
      return element ? this.#kindsOf(element, within).map((kind) => `${kind}[]`) : ['any']
    }
    if (!(type.flags & (TypeFlags.Object | TypeFlags.Intersection))) return ['any']
    const name = type.getSymbol()?.name ?? ''
    return [CLASSES.includes(name) ? name : 'object']
  }

  #columnsOf(type: Type): Record<string, ClaimedColumn> {
    const properties = this.#checker.getPropertiesOfType(type)
    const types = this.#checker.getTypeOfSymbol(properties)
    return Object.fromEntries(
      properties.map(({ name, flags }, index) => [
        name,
        { kinds: this.#kindsOf(types[index] as Type), isOptional: (flags & SymbolFlags.Optional) !== 0 },
      ]),
    )
  }

  /** The text that Kysely makes of a template, or undefined if a fragment in it is made by a function. */
  #render(template: TaggedTemplateExpression, values: { count: number }): string | undefined {
    const [head = '', ...rest] = textsOf(template)
    const expressions = spansOf(template).map(({ expression }) => expression)
    const types = this.#checker.getTypeAtLocation(expressions)
    const parts = expressions.map((expression, index) => {
      if (!this.#isFragment(types[index])) return `$${++values.count}`
      const made = this.#templateOf(expression)
      return made && this.#render(made, values)
    })
    if (parts.includes(undefined)) return undefined
    return head + parts.map((part, index) => `${part}${rest[index]}`).join('')
  }

  #isFragment(type: Type | undefined): boolean {
    const types = type?.isUnionType() ? type.getTypes() : type ? [type] : []
    return types.some((each) => this.#checker.getPropertyOfType(each, 'toOperationNode'))
  }

  /** The template behind a fragment: itself, or the one that a constant holds. */
  #templateOf(expression: Expression): TaggedTemplateExpression | undefined {
    if (isSqlTemplate(expression)) return expression
    const symbol = isIdentifier(expression) ? this.#checker.getSymbolAtLocation(expression) : undefined
    const target = symbol && symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    const declaration = target?.valueDeclaration?.resolve()
    const made = declaration && isVariableDeclaration(declaration) ? declaration.initializer : undefined
    return made && isSqlTemplate(made) ? made : undefined
  }
}

/** The claims of the sources of the API, by the texts of their templates. */
export function claimsOfSources(): Map<string, Claim[]> {
  const api = new API({ cwd: root })
  const [project] = api.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.json')] }).getProjects()
  if (!project) throw new Error('The sources of the API were not read.')
  const claims = new ClaimReader(project).read(path.join(root, 'src/'))
  api.close()
  return claims
}
