/**
 * What is assumed of functions whose source is not at hand: a value goes through a call to its result unless the name
 * says that it does not. Names are last segments of what is called.
 */

/** Makes a text safe to embed somewhere, by its name. */
export const sanitizing =
  /escape|sanitiz|sanitis|encodeuri|urlencode|purify|shellquote|shlex\.(?:quote|split)|htmlspecialchars|\bquote\b|quoteplus|quote_plus|realescape|parameterize|html\.encode|htmlencode|strip_?tags/i

/** Gives a number, a truth value or nothing of the text it was given. */
export const neutral = new Set(
  (
    "parseInt parseFloat Number Boolean isNaN isFinite isInteger includes startsWith endsWith indexOf lastIndexOf test every some has " +
    "hasOwnProperty charCodeAt codePointAt localeCompare len int float bool isinstance issubclass hasattr isdigit isalpha isalnum " +
    "startswith endswith find rfind count index hash ord Atoi ParseInt ParseUint ParseFloat ParseBool HasPrefix HasSuffix Contains " +
    "ContainsAny Index LastIndex EqualFold Compare Equal cap size length isEmpty contains equals equalsIgnoreCase hashCode compareTo " +
    "matches containsKey containsValue valueOfInt parseLong parseDouble parseBoolean intValue longValue is_empty starts_with ends_with " +
    "eq ne is_some is_none is_ok is_err strlen strcmp strncmp strcasecmp memcmp atoi atol atof strtol strtoul strtod sizeof isdigit " +
    "ToInt32 ToInt64 ToBoolean ToDouble TryParse IsNullOrEmpty IsNullOrWhiteSpace Any All Count StartsWith EndsWith IndexOf Equals " +
    "GetHashCode CompareTo Match MatchString IsMatch stoi stol stod empty uuid4 getTime now sha256 sha1 md5 createHash digest hexdigest " +
    "Sum256 typeof"
  ).split(" ")
)

/** The same by more than the last name. */
export const numeric =
  /(?:^|\.)(?:int|uint|long|ulong|short|byte|float|double|decimal|bool|Guid|DateTime|TimeSpan|Int32|Int64)\.(?:Try)?Parse$/

/** Puts its arguments into its receiver. */
export const mutating = new Set(
  (
    "push unshift append add addAll addFirst addLast put putAll set insert extend update prepend concat write writeln writelines " +
    "push_str push_back push_front emplace_back emplace insert_str extend_from_slice setdefault enqueue offer Append AppendLine " +
    "AppendFormat Add AddRange Insert Enqueue Push Put Set Store Write WriteString WriteLine WriteByte appendChild setAttribute " +
    "assign fill splice appendleft replaceAll << send"
  ).split(" ")
)

/** Gives its receiver back, so that what is put into the result is put into it. */
export const fluent = new Set(
  "append insert reverse replace Append AppendLine AppendFormat Insert <<".split(" ")
)

/** Arguments that a call fills: from which ones, into which; from none, the call itself is where the text comes from. */
export interface Filling {
  readonly from: ReadonlyArray<number>
  readonly into: ReadonlyArray<number>
}
export const filling: { readonly [name: string]: Filling } = {
  strcpy: { from: [1], into: [0] },
  strncpy: { from: [1], into: [0] },
  strcat: { from: [1], into: [0] },
  strncat: { from: [1], into: [0] },
  stpcpy: { from: [1], into: [0] },
  memcpy: { from: [1], into: [0] },
  memmove: { from: [1], into: [0] },
  strlcpy: { from: [1], into: [0] },
  strlcat: { from: [1], into: [0] },
  sprintf: { from: [1, 2, 3, 4, 5, 6], into: [0] },
  vsprintf: { from: [1, 2], into: [0] },
  snprintf: { from: [2, 3, 4, 5, 6, 7], into: [0] },
  sscanf: { from: [0], into: [2, 3, 4, 5] },
  fgets: { from: [2], into: [0] },
  gets: { from: [], into: [0] },
  scanf: { from: [], into: [1, 2, 3, 4] },
  fscanf: { from: [0], into: [2, 3, 4] },
  read: { from: [0], into: [1] },
  recv: { from: [0], into: [1] },
  fread: { from: [3], into: [0] },
  getline: { from: [0, 2], into: [0, 1] },
  copy: { from: [1], into: [0] },
  arraycopy: { from: [0], into: [2] }
}

/** Calls a function it is given with what it was called on. */
export const lastName = (dotted: string): string => {
  const bare = dotted.endsWith("!") ? dotted.slice(0, -1) : dotted
  return bare.slice(bare.lastIndexOf(".") + 1)
}
