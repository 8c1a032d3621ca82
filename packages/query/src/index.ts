export { type ArgumentReader, readArguments } from './arguments.ts';
export { type AttrSelector, parseAttr, selectAttributes, selects } from './attr.ts';
export {
  type Bind,
  type ColumnDef,
  type Columns,
  type HiddenColumn,
  type JsonbColumn,
  jsonbVariable,
  type ScalarColumn,
  type TimeColumn,
  type TimeStore,
  type VariableColumn,
} from './columns.ts';
export { type CompileOptions, compileFilter } from './compile-filter.ts';
export { compileSort, type SortOptions } from './compile-sort.ts';
export { customIdsOf } from './custom-ids.ts';
export {
  type Criterion,
  FILTER_OPERATORS,
  type Filter,
  type FilterOperator,
  OPERAND_TYPES,
  type Operand,
  type OperandType,
  parseFilter,
} from './filter.ts';
export { type ColumnParams, type NodeParams, parseColumnParams, parseNodeParams } from './node-params.ts';
export { parseSort, type Sort, type SortItem } from './sort.ts';
