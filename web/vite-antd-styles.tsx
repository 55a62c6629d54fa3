import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import {
  Alert,
  Button,
  Checkbox,
  Collapse,
  ConfigProvider,
  DatePicker,
  Descriptions,
  Drawer,
  Dropdown,
  Empty,
  Form,
  Input,
  InputNumber,
  Modal,
  Pagination,
  Progress,
  Radio,
  Segmented,
  Select,
  Slider,
  Spin,
  Switch,
  Tabs,
  theme,
} from 'antd'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Scheme } from './src/brand/colors.ts'
import { antdTheme } from './src/ui/antd-theme.ts'

// Ant Design's styles as they are at build time: one style sheet with all that the components in use need, whatever the
// scheme and the width of the page. Browsers generate nothing.

/** Every component in use, in each form that has styles of its own. A build fails if one is missing. */
const samples = (
  <>
    <Alert />
    <Button />
    <Checkbox />
    <Collapse />
    <DatePicker />
    <Descriptions />
    <Drawer />
    <Dropdown>
      <b />
    </Dropdown>
    <Empty />
    <Form>
      <Form.Item>
        <Form.ErrorList />
      </Form.Item>
    </Form>
    <Input />
    <Input.Password />
    <Input.TextArea />
    <InputNumber />
    <Modal />
    <Pagination />
    <Progress />
    <Radio />
    <Segmented options={[]} />
    <Select />
    <Slider />
    <Spin />
    <Switch />
    <Tabs />
  </>
)

// The numbered columns of its grid, writing from right to left, and colors of buttons that none has.
const UNUSED_RULE =
  /^:where\(\.[\w-]+\)\.ant-col-|-rtl\b|-color-(?:blue|purple|cyan|green|magenta|pink|red|orange|yellow|volcano|geekblue|lime|gold)\b/

const SCREENS = ['XS', 'SM', 'MD', 'LG', 'XL', 'XXL', 'XXXL'] as const

/** Values of variables by where they hold: the whole page, or the elements of a component that has its own. */
type Variables = ReadonlyMap<string, ReadonlyMap<string, string>>

interface Extracted {
  /** The class that marks all elements of Ant Design. */
  hash: string
  /** Whose styles they are, such as `Input-TextArea`. */
  components: ReadonlySet<string>
  rules: string
  variables: Variables
}

const PAGE = ':root'

/** Components declare most of their variables under names of their own: those hold for the whole page. */
function variablesIn(declared: string): Variables {
  const scopes = new Map([[PAGE, new Map<string, string>()]])
  for (const [, selectors = '', body = ''] of declared.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    const scope = selectors.replaceAll(/\.css-var-[\w-]+/g, '').trim() || PAGE
    const values = scopes.get(scope) ?? new Map<string, string>()
    scopes.set(scope, values)
    for (const [, name = '', value = ''] of body.matchAll(/(--ant-[\w-]+):([^;]*);/g)) values.set(name, value.trim())
  }
  const whole = scopes.get(PAGE) ?? new Map<string, string>()
  const general = new Set(whole.keys())
  for (const [scope, values] of scopes)
    for (const [name, value] of values) {
      if (scope === PAGE || general.has(name)) continue
      if ((whole.get(name) ?? value) !== value) throw new Error(`${name} has two values.`)
      whole.set(name, value)
      values.delete(name)
    }
  return scopes
}

/** The styles of all samples with a theme. Only variables differ between themes. */
function extract(scheme: Scheme, { isPhone = false, zeroRuntime = true } = {}): Extracted {
  const cache = createCache()
  const found: Pick<Extracted, 'hash'> = { hash: '' }
  function Samples() {
    found.hash = theme.useToken().hashId
    return samples
  }
  renderToStaticMarkup(
    <StyleProvider cache={cache}>
      <ConfigProvider theme={{ ...antdTheme(scheme, { motion: true, isPhone }), zeroRuntime }}>
        <Samples />
      </ConfigProvider>
    </StyleProvider>,
  )
  return {
    ...found,
    components: new Set([...cache.cache.keys()].map((key) => key.split('%')[2] ?? '')),
    rules: extractStyle(cache, { plain: true, types: 'style' }),
    variables: variablesIn(extractStyle(cache, { plain: true, types: ['token', 'cssVar'] }).replaceAll(/\s+/g, ' ')),
  }
}

/** Leaves out rules that no page needs. Braces inside others belong to media queries and animations, which stay. */
const withoutUnused = (rules: string) =>
  rules.replaceAll(/(?<=^|[{}])([^{}@]+)\{[^{}]*\}/g, (rule, selectors: string) => {
    const kept = selectors.split(/,(?![^()]*\))/).filter((selector) => !UNUSED_RULE.test(selector.trim()))
    if (kept.length === 0) return ''
    return rule.replace(selectors, () => kept.join(','))
  })

/** Declarations of the variables in use that differ from those of another theme, for pages that `page` selects. */
function declare(variables: Variables, used: ReadonlySet<string>, page = PAGE, others?: Variables): string {
  const rules = [...variables].map(([scope, values]) => {
    const differing = [...values].filter(([name, value]) => used.has(name) && others?.get(scope)?.get(name) !== value)
    const body = differing.map(([name, value]) => `${name}:${value};`).join('')
    if (!body) return ''
    return `${scope === PAGE ? page : `${page} ${scope}`}{${body}}`
  })
  return rules.join('')
}

/** The style sheet, the class that marks elements in it, and whose styles are in it. */
export function antdStyles(): { sheet: string; hash: string; components: ReadonlySet<string> } {
  const { rules: all, hash, components, variables: light } = extract('light', { zeroRuntime: false })
  const { variables: dark } = extract('dark')
  const { variables: onPhone } = extract('light', { isPhone: true })
  const rules = withoutUnused(all)
  const used = new Set([...rules.matchAll(/var\((--ant-[\w-]+)/g)].map(([, name = '']) => name))
  const sheet = [
    declare(light, used),
    declare(dark, used, ":root[data-theme='dark']", light),
    `@media (prefers-color-scheme:dark){${declare(dark, used, ":root:not([data-theme='light'])", light)}}`,
    `@media (max-width:639px){${declare(onPhone, used, PAGE, light)}}`,
    rules,
  ]
  return { sheet: sheet.join('\n'), hash, components }
}

// What components in use read of the theme in scripts, and not as variables, by the file that reads it.
const READ: Record<string, readonly string[]> = {
  '_util/hooks/useZIndex.js': ['zIndexPopupBase'],
  '_util/responsiveObserver.js': SCREENS.flatMap((size) => [`screen${size}`, `screen${size}Min`, `screen${size}Max`]),
  // These two only hand on the class of the styles.
  '_util/wave/useWave.js': [],
  'button/ButtonGroup.js': [],
  'config-provider/MotionWrapper.js': ['motion'],
  'dropdown/dropdown.js': ['marginXXS', 'sizePopupArrow', 'borderRadius'],
  'empty/empty.js': ['colorFill', 'colorFillSecondary', 'colorFillTertiary', 'colorTextQuaternary', 'colorBgContainer'],
  'empty/simple.js': ['colorFill', 'colorFillTertiary', 'colorFillQuaternary', 'colorBgContainer'],
  'modal/ConfirmDialog.js': ['zIndexPopupBase'],
  'pagination/Pagination.js': ['wireframe'],
  'select/index.js': ['controlHeight'],
  'tooltip/index.js': ['marginXXS', 'sizePopupArrow', 'borderRadius'],
}

export const tokenReaders: ReadonlySet<string> = new Set(Object.keys(READ))

/** The values of a theme that scripts read. */
export function readTokens(scheme: Scheme, isPhone: boolean): Record<string, unknown> {
  const tokens: Record<string, unknown> = { ...theme.getDesignToken(antdTheme(scheme, { motion: true, isPhone })) }
  return Object.fromEntries(Object.values(READ).flatMap((names) => names.map((name) => [name, tokens[name]])))
}
