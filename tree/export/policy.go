package export

import (
	"strings"

	"github.com/octgen/octgen/tree"
)

// policyWords are the words of policies in place of those of classes: in comments and in
// the names that programs have.
var policyWords = strings.NewReplacer(
	"predict_proba", "predict_rewards",
	"the share of each", "the mean reward of each",
	"The share of each", "The mean reward of each",
	"in the training weight of", "on the training rows of",
	"a class", "an action",
	"CLASSES", "ACTIONS", "Classes", "Actions", "classes", "actions",
	"leafClass", "leafAction", "leafShares", "leafRewards",
	"class", "action", "shares", "rewards", "share", "reward",
)

// say is a text of octgen's own, which has nothing of the user's in it, in the words of
// the tree: of a policy classes are actions, and shares their mean rewards.
func (p *plan) say(text string) string {
	if !p.policy {
		return text
	}
	return policyWords.Replace(text)
}

// values are what is said of each class at the leaf n: its share, of an action its mean
// reward.
func values(t *tree.Tree, n *tree.Node) []float64 {
	k := len(t.Classes)
	if !t.IsPolicy() {
		return shares(n, k)
	}
	if mean := n.MeanRewards(); mean != nil {
		return mean
	}
	return make([]float64, k)
}
