#include <stdio.h>
#include "util/list.h"
#define MAX 10
#define SQR(x) ((x)*(x))
#ifdef FOO
int guarded(void);
#endif
/* A node. */
typedef struct node { int value; struct node *next; char name[10]; int (*cb)(int, void*); } node_t;
struct point { int x, y; };
typedef unsigned long ulong_t;
typedef int (*handler_fn)(int);
enum color { RED, GREEN = 2 };
typedef enum { A, B } ab_t;
union u { int i; float f; };
extern int counter;
static int hidden = 3;
const char *names[] = { "a", "b" };
int add(int a, int b);
static inline node_t *make(int v, const char *fmt, ...) {
  struct node *n = malloc(sizeof(struct node));
  node_t local = { .value = 1, .next = NULL };
  n->value = v; n->next->value = MAX; local.value++;
  (*n->cb)(1, NULL); n->cb(2, NULL);
  for (int i = 0; i < 3 && n; i++) { if (add(i, 2)) goto done; }
  switch (v) { case RED: break; default: break; }
  hidden = SQR(3);
  ((node_t *)n)->value = 1;
done:
  return n;
}
int main(int argc, char **argv) { printf("%d", add(1, 2)); char *e = getenv("HOME"); return 0; }
struct point origin = { 0, 0 };
int *ptr, arr[3], fn_decl(int);
K_R(foo) 
